/** No model of this name is installed. */
export class ModelMissing extends Error {
  override readonly name = 'ModelMissing';

  constructor(
    readonly model: string,
    folder: string,
  ) {
    super(`The model ${model} is not in ${folder}: fetch it with \`npm run admin -- models pull ${model}\`.`);
  }
}

/** A folder of a model holds something other than its manifest says, or no manifest that can be read. */
export class ModelBroken extends Error {
  override readonly name = 'ModelBroken';

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
