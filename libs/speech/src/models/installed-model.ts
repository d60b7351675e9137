export const MODEL_KINDS = [
  'recognizer',
  'voice-activity',
  'segmentation',
  'embedding',
  'punctuation',
  'language',
] as const;

export type ModelKind = (typeof MODEL_KINDS)[number];

export const MODEL_FAMILIES = [
  'whisper',
  'transducer',
  'moonshine',
  'sense-voice',
  'omnilingual',
  'canary',
  'silero',
  'pyannote',
  'speaker-embedding',
  'ct-transformer',
  'cnn-bilstm',
  'whisper-language',
] as const;

/** Decides on the loader. */
export type ModelFamily = (typeof MODEL_FAMILIES)[number];

/** A folder with a manifest, `model.json`. */
export interface InstalledModel {
  name: string;
  kind: ModelKind;
  family: ModelFamily;
  /** BCP 47 tags, or `any`. */
  languages: string[] | 'any';
  /** Absolute paths by role, such as `encoder` or `tokens`. */
  files: Record<string, string>;
  /** Options of the family's loader, such as `modelType`. */
  settings: Record<string, string>;
}

export class ModelNotFoundError extends Error {
  override readonly name = 'ModelNotFoundError';

  constructor(
    readonly model: string,
    folder: string,
  ) {
    super(`The model ${model} is not in ${folder}: fetch it with \`npm run admin -- models pull ${model}\`.`);
  }
}

export class InvalidModelError extends Error {
  override readonly name = 'InvalidModelError';

  constructor(
    readonly folder: string,
    problem: string,
    options: { cause?: unknown } = {},
  ) {
    super(
      `The model in ${folder} is broken: ${problem}. Remove it with \`npm run admin -- models remove\` and pull it again.`,
      options,
    );
  }
}
