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

/** No model of this name is installed. */
export class ModelNotFoundError extends Error {
  override readonly name = 'ModelNotFoundError';

  constructor(
    readonly model: string,
    folder: string,
  ) {
    super(`The model ${model} is not in ${folder}: fetch it with \`npm run admin -- models pull ${model}\`.`);
  }
}

/** A folder of a model holds something other than its manifest says, or no manifest that can be read. */
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
