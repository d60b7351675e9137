import type { InstalledModel, ModelFamily } from '../../models/model.js';

/** How one family of models is loaded and what it gives. `docs/speech/sherpa.md` says why. */
export interface Family {
  /** Roles of files that it cannot do without. */
  roles(model: InstalledModel): readonly string[];
  /** The part of the library's configuration that names the family's files. */
  configure(model: InstalledModel, tokens: string): object;
  /** Longest sound that it hears at once, in seconds. */
  maxSeconds: number;
  /** Its vocabulary is in base64 and has parts of characters: it is rewritten (`byte-symbols.ts`). */
  base64(model: InstalledModel): boolean;
  /** It tells when each word is said. */
  tellsTimes(model: InstalledModel): boolean;
  /** It writes capitals and marks itself. */
  punctuates(model: InstalledModel): boolean;
  /** It can be biased towards given terms. */
  hearsTerms: boolean;
  /** What it says of its certainty still holds where it is biased. */
  sureOfTerms(model: InstalledModel): boolean;
}

const fileOf = (model: InstalledModel, role: string): string => model.files[role] ?? '';

/** A manifest says so of a Whisper model that was exported with its attention. */
const hasAttention = ({ settings }: InstalledModel): boolean => settings['timestamps'] === 'token';
/** One decoder for the first step and all others: how newer models of the family are exported. */
const hasMergedDecoder = ({ files }: InstalledModel): boolean => files['mergedDecoder'] !== undefined;
const NEMO = 'nemo_transducer';
const always = (): boolean => true;
const never = (): boolean => false;

const FAMILIES: Partial<Record<ModelFamily, Family>> = {
  whisper: {
    roles: () => ['encoder', 'decoder', 'tokens'],
    configure: (model, tokens) => ({
      tokens,
      whisper: {
        encoder: fileOf(model, 'encoder'),
        decoder: fileOf(model, 'decoder'),
        // Empty: it finds out.
        language: '',
        task: 'transcribe',
        enableTokenTimestamps: hasAttention(model) ? 1 : 0,
        enableSegmentTimestamps: hasAttention(model) ? 0 : 1,
      },
    }),
    // The library leaves out what comes after half a minute.
    maxSeconds: 28,
    base64: always,
    tellsTimes: hasAttention,
    punctuates: always,
    hearsTerms: false,
    sureOfTerms: never,
  },
  transducer: {
    roles: () => ['encoder', 'decoder', 'joiner', 'tokens'],
    configure: (model, tokens) => ({
      tokens,
      transducer: {
        encoder: fileOf(model, 'encoder'),
        decoder: fileOf(model, 'decoder'),
        joiner: fileOf(model, 'joiner'),
      },
      modelType: model.settings['modelType'] ?? 'transducer',
    }),
    maxSeconds: 60,
    base64: never,
    tellsTimes: always,
    // Parakeet does, most others do not: a manifest says so.
    punctuates: ({ settings }) => settings['punctuation'] === 'yes',
    hearsTerms: true,
    // NeMo's search adds the bias to the probabilities that it gives out.
    sureOfTerms: ({ settings }) => settings['modelType'] !== NEMO,
  },
  moonshine: {
    roles: (model) => [
      'encoder',
      'tokens',
      ...(hasMergedDecoder(model) ? [] : ['preprocessor', 'uncachedDecoder', 'cachedDecoder']),
    ],
    configure: (model, tokens) => ({
      tokens,
      moonshine: {
        preprocessor: fileOf(model, 'preprocessor'),
        encoder: fileOf(model, 'encoder'),
        uncachedDecoder: fileOf(model, 'uncachedDecoder'),
        cachedDecoder: fileOf(model, 'cachedDecoder'),
        mergedDecoder: fileOf(model, 'mergedDecoder'),
      },
    }),
    // It gives no times at all: the shorter, the closer a word is to where it is said.
    maxSeconds: 10,
    base64: hasMergedDecoder,
    tellsTimes: never,
    punctuates: always,
    hearsTerms: false,
    sureOfTerms: never,
  },
  'sense-voice': {
    roles: () => ['model', 'tokens'],
    configure: (model, tokens) => ({
      tokens,
      senseVoice: { model: fileOf(model, 'model'), language: '', useInverseTextNormalization: 1 },
    }),
    // It decides on one language for all it hears at once.
    maxSeconds: 28,
    base64: never,
    tellsTimes: always,
    punctuates: always,
    hearsTerms: false,
    sureOfTerms: never,
  },
};

/** The family of a recogniser; undefined when this engine cannot load it. */
export function familyOf({ kind, family }: InstalledModel): Family | undefined {
  return kind === 'recognizer' ? FAMILIES[family] : undefined;
}
