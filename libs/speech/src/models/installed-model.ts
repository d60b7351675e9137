export const MODEL_KINDS = [
  'recognizer',
  'voice-activity',
  'segmentation',
  'embedding',
  'punctuation',
  'language',
] as const;

/** What a model is for. */
export type ModelKind = (typeof MODEL_KINDS)[number];

export const MODEL_FAMILIES = [
  'whisper',
  'transducer',
  'moonshine',
  'sense-voice',
  'silero',
  'pyannote',
  'speaker-embedding',
  'ct-transformer',
  'whisper-language',
] as const;

/** How a model is built, and so which loader takes it. */
export type ModelFamily = (typeof MODEL_FAMILIES)[number];

/** One model on disk: a folder with a manifest, `model.json`. */
export interface InstalledModel {
  name: string;
  kind: ModelKind;
  family: ModelFamily;
  /** BCP 47 tags, or `any`. */
  languages: string[] | 'any';
  /** Role, such as `encoder` or `tokens` -> absolute path. */
  files: Record<string, string>;
  /** What the loader of the family wants to know beside the files, such as `modelType`. */
  settings: Record<string, string>;
}
