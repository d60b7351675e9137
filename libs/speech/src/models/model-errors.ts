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
