import type { FieldError } from '../api/client.ts';
import { describeFieldError } from '../lib/field-error.ts';
import type { JobOptionsBody } from './job-options.ts';
import { OPTION_LABELS } from './option-label-and-text.ts';

/** A sentence about an option, which names the label of its field on the page Transcribe. */
export function describeOptionError(error: FieldError): string {
  const label = OPTION_LABELS[toOptionName(error.field)];
  const sentence = describeFieldError(error);
  const isNamed = label === undefined || sentence.toLowerCase().includes(label.toLowerCase());
  return isNamed ? sentence : `${label}: ${sentence}`;
}

/**
 * The errors of a rejected request by the names of the options, without those of options that were changed since.
 *
 * @param rejected the options that were sent
 */
export function listErrorsOfUnchangedOptions(
  errors: readonly FieldError[],
  rejected: JobOptionsBody,
  current: JobOptionsBody,
): FieldError[] {
  const read = (body: JobOptionsBody, name: string) =>
    JSON.stringify((body as unknown as Readonly<Record<string, unknown>>)[name]);
  return errors
    .map(({ field, message }) => ({ field: toOptionName(field), message }))
    .filter(({ field }) => read(rejected, field) === read(current, field));
}

/** `custom_vocabulary.3` is of the option `custom_vocabulary`. */
function toOptionName(field: string): string {
  return field.split('.')[0] ?? field;
}
