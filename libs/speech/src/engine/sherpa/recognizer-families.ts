import type { VocabularyFiles } from './vocabulary-files.js';
import type { InstalledModel, ModelFamily } from '../../models/installed-model.js';

/** How one family of models is loaded and what it gives. `docs/speech/sherpa.md` says why. */
export interface RecognizerFamily {
  /** Roles of files that it cannot do without. */
  requiredRoles(model: InstalledModel): readonly string[];
  /** The part of the library's configuration that names the family's files. */
  buildModelConfig(model: InstalledModel, tokens: string): object;
  /** Longest sound that it hears at once, in seconds. */
  maxSeconds: number;
  /** Its vocabulary is in base64 and has parts of characters: it is rewritten (`byte-symbols.ts`). */
  hasBase64Tokens(model: InstalledModel): boolean;
  /** It tells when each word is said. */
  hasWordTimes(model: InstalledModel): boolean;
  /** It writes capitals and marks itself. */
  hasPunctuation(model: InstalledModel): boolean;
  /** It can be biased towards given terms. */
  supportsHotwords: boolean;
  /** What it says of its certainty still holds where it is biased. */
  hasConfidenceWithHotwords(model: InstalledModel): boolean;
}

const modelFile = (model: InstalledModel, role: string): string => model.files[role] ?? '';

/** A manifest says so of a Whisper model that was exported with its attention. */
const hasAttention = ({ settings }: InstalledModel): boolean => settings['timestamps'] === 'token';
/** One decoder for the first step and all others: how newer models of the family are exported. */
const hasMergedDecoder = ({ files }: InstalledModel): boolean => files['mergedDecoder'] !== undefined;
const NEMO = 'nemo_transducer';
const always = (): boolean => true;
const never = (): boolean => false;

const FAMILIES: Partial<Record<ModelFamily, RecognizerFamily>> = {
  whisper: {
    requiredRoles: () => ['encoder', 'decoder', 'tokens'],
    buildModelConfig: (model, tokens) => ({
      tokens,
      whisper: {
        encoder: modelFile(model, 'encoder'),
        decoder: modelFile(model, 'decoder'),
        // Empty: it finds out.
        language: '',
        task: 'transcribe',
        enableTokenTimestamps: hasAttention(model) ? 1 : 0,
        enableSegmentTimestamps: hasAttention(model) ? 0 : 1,
      },
    }),
    // The library leaves out what comes after half a minute.
    maxSeconds: 28,
    hasBase64Tokens: always,
    hasWordTimes: hasAttention,
    hasPunctuation: always,
    supportsHotwords: false,
    hasConfidenceWithHotwords: never,
  },
  transducer: {
    requiredRoles: () => ['encoder', 'decoder', 'joiner', 'tokens'],
    buildModelConfig: (model, tokens) => ({
      tokens,
      transducer: {
        encoder: modelFile(model, 'encoder'),
        decoder: modelFile(model, 'decoder'),
        joiner: modelFile(model, 'joiner'),
      },
      modelType: model.settings['modelType'] ?? 'transducer',
    }),
    maxSeconds: 60,
    hasBase64Tokens: never,
    hasWordTimes: always,
    // Parakeet does, most others do not: a manifest says so.
    hasPunctuation: ({ settings }) => settings['punctuation'] === 'yes',
    supportsHotwords: true,
    // NeMo's search adds the bias to the probabilities that it gives out.
    hasConfidenceWithHotwords: ({ settings }) => settings['modelType'] !== NEMO,
  },
  moonshine: {
    requiredRoles: (model) => [
      'encoder',
      'tokens',
      ...(hasMergedDecoder(model) ? [] : ['preprocessor', 'uncachedDecoder', 'cachedDecoder']),
    ],
    buildModelConfig: (model, tokens) => ({
      tokens,
      moonshine: {
        preprocessor: modelFile(model, 'preprocessor'),
        encoder: modelFile(model, 'encoder'),
        uncachedDecoder: modelFile(model, 'uncachedDecoder'),
        cachedDecoder: modelFile(model, 'cachedDecoder'),
        mergedDecoder: modelFile(model, 'mergedDecoder'),
      },
    }),
    // It gives no times at all: the shorter, the closer a word is to where it is said.
    maxSeconds: 10,
    hasBase64Tokens: hasMergedDecoder,
    hasWordTimes: never,
    hasPunctuation: always,
    supportsHotwords: false,
    hasConfidenceWithHotwords: never,
  },
  'sense-voice': {
    requiredRoles: () => ['model', 'tokens'],
    buildModelConfig: (model, tokens) => ({
      tokens,
      senseVoice: { model: modelFile(model, 'model'), language: '', useInverseTextNormalization: 1 },
    }),
    // It decides on one language for all it hears at once.
    maxSeconds: 28,
    hasBase64Tokens: never,
    hasWordTimes: always,
    hasPunctuation: always,
    supportsHotwords: false,
    hasConfidenceWithHotwords: never,
  },
};

/** The family of a recogniser; undefined when this engine cannot load it. */
export function findRecognizerFamily({ kind, family }: InstalledModel): RecognizerFamily | undefined {
  return kind === 'recognizer' ? FAMILIES[family] : undefined;
}

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
