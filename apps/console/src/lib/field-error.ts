import type { FieldError } from '../api/client.ts';
import { texts } from '../texts/index.ts';

/** A sentence about a field. The API's messages begin with a verb, such as “must be a whole number”. */
export function describeFieldError({ field, message }: FieldError): string {
  const { fieldErrors, fields, unknownField } = texts.errors;
  const sentence = fieldErrors[`${field} ${message}`];
  if (sentence !== undefined) return sentence;
  return `${fields[field] ?? unknownField} ${message.replace(/\.$/, '')}.`;
}
