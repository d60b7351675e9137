import type { ExecutionProvider } from '../../sherpa/provider/probe-execution-provider.js';
import type { TokenFiles } from './token-files.js';
import type { InstalledModel, ModelFamily } from '../../models/installed-model.js';

/** See docs/speech/sherpa.md. */
export interface RecognizerFamily {
  /** Roles of the required files. */
  requiredRoles(model: InstalledModel): readonly string[];
  /** A part of the library's configuration. */
  buildModelConfig(model: InstalledModel, tokens: string): object;
  maxSeconds: number;
  /** Every input costs as much as the longest one. */
  padsInput: boolean;
  /** The vocabulary is in base64 and has partial characters; it is rewritten (`byte-symbols.ts`). */
  hasBase64Tokens(model: InstalledModel): boolean;
  hasWordTimes(model: InstalledModel): boolean;
  /** Its output has capitals and punctuation. */
  hasPunctuation(model: InstalledModel): boolean;
  supportsHotwords: boolean;
  /** Its token probabilities remain valid with hotwords. */
  hasConfidenceWithHotwords(model: InstalledModel): boolean;
}

const modelFile = (model: InstalledModel, role: string): string => model.files[role] ?? '';

/** Whisper models exported with attention; set in the manifest. */
const hasAttention = ({ settings }: InstalledModel): boolean => settings['timestamps'] === 'token';
/** Newer models of the family have one decoder for all steps. */
const hasMergedDecoder = ({ files }: InstalledModel): boolean => files['mergedDecoder'] !== undefined;
/** Language of models that detect none; set in the manifest. */
const spokenLanguage = ({ settings }: InstalledModel): string => settings['language'] ?? 'en';
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
        // Empty: detected by the model.
        language: '',
        task: 'transcribe',
        enableTokenTimestamps: hasAttention(model) ? 1 : 0,
        enableSegmentTimestamps: hasAttention(model) ? 0 : 1,
      },
    }),
    // The library ignores everything after 30 s.
    maxSeconds: 28,
    padsInput: true,
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
    padsInput: false,
    hasBase64Tokens: never,
    hasWordTimes: always,
    // Parakeet does, most others do not; set in the manifest.
    hasPunctuation: ({ settings }) => settings['punctuation'] === 'yes',
    supportsHotwords: true,
    // NeMo's search adds the boost to the reported probabilities.
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
    // The model reports no times, so shorter windows give better estimates.
    maxSeconds: 10,
    padsInput: false,
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
    // The model detects one language per window.
    maxSeconds: 28,
    padsInput: false,
    hasBase64Tokens: never,
    hasWordTimes: always,
    hasPunctuation: always,
    supportsHotwords: false,
    hasConfidenceWithHotwords: never,
  },
  omnilingual: {
    requiredRoles: () => ['model', 'tokens'],
    buildModelConfig: (model, tokens) => ({ tokens, omnilingual: { model: modelFile(model, 'model') } }),
    // The model is made for less than 40 s.
    maxSeconds: 28,
    padsInput: false,
    hasBase64Tokens: never,
    hasWordTimes: always,
    hasPunctuation: never,
    supportsHotwords: false,
    hasConfidenceWithHotwords: never,
  },
  canary: {
    requiredRoles: () => ['encoder', 'decoder', 'tokens'],
    buildModelConfig: (model, tokens) => ({
      tokens,
      canary: {
        encoder: modelFile(model, 'encoder'),
        decoder: modelFile(model, 'decoder'),
        // The library must be told; another target language would be a translation.
        srcLang: spokenLanguage(model),
        tgtLang: spokenLanguage(model),
        usePnc: 1,
      },
    }),
    // The model is made for less than 40 s.
    maxSeconds: 28,
    padsInput: false,
    hasBase64Tokens: never,
    hasWordTimes: never,
    hasPunctuation: always,
    supportsHotwords: false,
    hasConfidenceWithHotwords: never,
  },
};

/** Undefined if this engine cannot load the model. */
export function findRecognizerFamily({ kind, family }: InstalledModel): RecognizerFamily | undefined {
  return kind === 'recognizer' ? FAMILIES[family] : undefined;
}

export interface RecognizerConfigOptions {
  files: TokenFiles;
  threads: number;
  provider: ExecutionProvider;
  /** Enables hotwords: a slower search, and a second copy of the model in memory. */
  hotwords: boolean;
}

const MAX_ACTIVE_PATHS = 4;

/** Hosts cache models by this configuration. */
export function buildRecognizerConfig(
  model: InstalledModel,
  family: RecognizerFamily,
  options: RecognizerConfigOptions,
): object {
  const { files, threads, provider, hotwords } = options;
  const spelling = hotwords ? { modelingUnit: 'bpe', bpeVocab: files.bpeVocabulary } : {};
  return {
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: {
      ...family.buildModelConfig(model, files.tokens),
      ...spelling,
      numThreads: threads,
      provider,
      debug: 0,
    },
    ...(hotwords ? { decodingMethod: 'modified_beam_search', maxActivePaths: MAX_ACTIVE_PATHS } : {}),
  };
}
