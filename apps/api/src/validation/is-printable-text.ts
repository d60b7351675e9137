import { isPrintableText, isTextWithoutControlCharacters } from '@app/errors';
import { ValidateBy, type ValidationOptions } from 'class-validator';

export function IsPrintableText(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isPrintableText',
      validator: {
        validate: isPrintableText,
        defaultMessage: () => 'must be text without control characters',
      },
    },
    options,
  );
}

/** For what was said: there, characters that change the direction belong to the text. */
export function IsTextWithoutControlCharacters(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    { name: 'isTextWithoutControlCharacters', validator: { validate: isTextWithoutControlCharacters } },
    options,
  );
}
