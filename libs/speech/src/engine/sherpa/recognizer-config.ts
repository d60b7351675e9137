import type { InstalledModel } from '../../models/model.js';
import type { Family } from './families.js';
import type { VocabularyFiles } from './vocabulary-files.js';

export interface LoadOptions {
  files: VocabularyFiles;
  threads: number;
  /** Listen for given terms: a slower search, and a second copy of the model where it is used. */
  hotwords: boolean;
}

const PATHS = 4;

/** The configuration that the library's recogniser is made from; the same one finds the model loaded. */
export function recognizerConfig(model: InstalledModel, family: Family, options: LoadOptions): object {
  const { files, threads, hotwords } = options;
  const spelling = hotwords ? { modelingUnit: 'bpe', bpeVocab: files.pieces } : {};
  return {
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: {
      ...family.configure(model, files.tokens),
      ...spelling,
      numThreads: threads,
      provider: 'cpu',
      debug: 0,
    },
    ...(hotwords ? { decodingMethod: 'modified_beam_search', maxActivePaths: PATHS } : {}),
  };
}
