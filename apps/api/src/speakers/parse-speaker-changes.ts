import type { FieldError } from '@app/errors';
import { cleanText } from '@app/transcript';
import { isPlainText } from '../validation/is-plain-text.js';
import { validationError } from '../validation/validate-dto.js';
import { MAX_NAME_LENGTH } from './speakers.dto.js';

export type SpeakerChanges = Record<string, string | null>;

/** A body that is wrong throughout is answered with its first few labels, not with all of them. */
const MAX_REPORTED_LABELS = 20;

/**
 * The names that a body gives, as they are kept: in one line, without blanks around them and without marks that turn
 * the text beside them around.
 * @throws ServiceError 422 naming `speakers.LABEL` where a name is neither text of 1 to 80 characters nor null
 */
export function parseSpeakerChanges(speakers: Readonly<Record<string, unknown>>): SpeakerChanges {
  const errors: FieldError[] = [];
  const changes = Object.entries(speakers).map(([label, given]): [string, string | null] => {
    const name = isPlainText(given) ? cleanText(given as string) : given;
    if (!isValidName(name)) errors.push({ field: `speakers.${label}`, message: NAME_RULE_MESSAGE });
    return [label, name as string | null];
  });
  throwIfInvalid(errors);
  return Object.fromEntries(changes);
}

/** @throws ServiceError 422 naming every label that the transcript does not have */
export function assertKnownLabels(changes: SpeakerChanges, labels: readonly string[]): void {
  const unknown = Object.keys(changes).filter((label) => !labels.includes(label));
  throwIfInvalid(
    unknown.map((label) => ({
      field: `speakers.${label}`,
      message: `is no speaker of this transcript, which has ${formatLabels(labels)}`,
    })),
  );
}

/** A transcript may have hundreds: the first ones, and how many more. */
function formatLabels(labels: readonly string[]): string {
  if (labels.length === 0) return 'none';
  const more = labels.length - MAX_REPORTED_LABELS;
  return labels.slice(0, MAX_REPORTED_LABELS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const NAME_RULE_MESSAGE = `must be text of 1 to ${MAX_NAME_LENGTH} characters without control characters, or null`;

function isValidName(name: unknown): boolean {
  if (name === null) return true;
  return typeof name === 'string' && name !== '' && isPlainText(name) && [...name].length <= MAX_NAME_LENGTH;
}

function throwIfInvalid(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw validationError(errors.slice(0, MAX_REPORTED_LABELS));
}
