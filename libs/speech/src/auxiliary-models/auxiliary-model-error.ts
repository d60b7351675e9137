/** A model beside the engine did not get through. The cause is for the log only. */
export class AuxiliaryModelError extends Error {
  override readonly name = 'AuxiliaryModelError';

  /** @param model its name in `models list` */
  constructor(
    readonly model: string,
    options: { cause?: unknown } = {},
  ) {
    super(`The model ${model} failed.`, options);
  }
}
