import type { FieldError } from '../api/client.ts';
import { texts } from '../texts/index.ts';

/** A sentence about a field. The API's messages begin with a verb, such as “must be a whole number”. */
export function describeFieldError({ field, message }: FieldError): string {
  const { fieldErrors, fields, unknownField } = texts.errors;
  // `speakers.SPEAKER_1` is an entry of `speakers`, `custom_vocabulary.3` one of `custom_vocabulary`.
  const name = field.split('.')[0] ?? field;
  const sentence = fieldErrors[`${name} ${message}`];
  if (sentence !== undefined) return sentence;
  return `${fields[name] ?? unknownField} ${message.replace(/\.$/, '')}.`;
}

/** The sentence about a field. */
export function findFieldErrorMessage(errors: readonly FieldError[], field: string): string | undefined {
  const found = errors.find((each) => each.field === field);
  return found && describeFieldError(found);
}
