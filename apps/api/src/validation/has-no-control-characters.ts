import { ValidateBy, type ValidationOptions } from 'class-validator';

/** No control characters and no lone surrogates, which databases and output formats cannot store. */
export function hasNoControlCharacters(value: unknown): boolean {
  // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
  return typeof value === 'string' && value.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(value);
}

export function HasNoControlCharacters(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'hasNoControlCharacters',
      validator: {
        validate: hasNoControlCharacters,
        defaultMessage: () => 'must be text without control characters',
      },
    },
    options,
  );
}
