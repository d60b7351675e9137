import type { InstalledModel } from '../../models/installed-model.js';
import type { RecognizerFamily } from './recognizer-families.js';
import type { VocabularyFiles } from './vocabulary-files.js';

export interface RecognizerConfigOptions {
  files: VocabularyFiles;
  threads: number;
  /** Listen for given terms: a slower search, and a second copy of the model where it is used. */
  hotwords: boolean;
}

const MAX_ACTIVE_PATHS = 4;

/** The configuration that the library's recogniser is made from; the same one finds the model loaded. */
export function buildRecognizerConfig(
  model: InstalledModel,
  family: RecognizerFamily,
  options: RecognizerConfigOptions,
): object {
  const { files, threads, hotwords } = options;
  const spelling = hotwords ? { modelingUnit: 'bpe', bpeVocab: files.bpeVocabulary } : {};
  return {
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: {
      ...family.buildModelConfig(model, files.tokens),
      ...spelling,
      numThreads: threads,
      provider: 'cpu',
      debug: 0,
    },
    ...(hotwords ? { decodingMethod: 'modified_beam_search', maxActivePaths: MAX_ACTIVE_PATHS } : {}),
  };
}
