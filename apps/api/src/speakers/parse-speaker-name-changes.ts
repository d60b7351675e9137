import { type InvalidField, createInvalidFieldsError, isTextWithoutControlCharacters } from '@app/errors';
import { sanitizeToSingleLine } from '@app/transcript';
import { MAX_SPEAKER_NAME_LENGTH } from './speakers.dto.js';

export type SpeakerNameChanges = Record<string, string | null>;

const MAX_REPORTED_LABELS = 20;

/**
 * Parses names: on one line, trimmed, without marks of text direction, which would affect the text beside them.
 * @throws ServiceError 422 naming `speakers.LABEL` unless each name is null or text of 1 to 80 characters
 */
export function parseSpeakerNameChanges(speakers: Readonly<Record<string, unknown>>): SpeakerNameChanges {
  const errors: InvalidField[] = [];
  const changes = Object.entries(speakers).map(([label, value]): [string, string | null] => {
    const name = isTextWithoutControlCharacters(value) ? sanitizeToSingleLine(value as string) : value;
    if (!isValidName(name)) errors.push({ field: `speakers.${label}`, message: NAME_RULE_MESSAGE });
    return [label, name as string | null];
  });
  throwIfInvalid(errors);
  return Object.fromEntries(changes);
}

/** @throws ServiceError 422 naming the labels that the transcript does not have */
export function assertKnownSpeakerLabels(changes: SpeakerNameChanges, labels: readonly string[]): void {
  const unknown = Object.keys(changes).filter((label) => !labels.includes(label));
  throwIfInvalid(
    unknown.map((label) => ({
      field: `speakers.${label}`,
      message: `is no speaker of this transcript, which has ${formatLabels(labels)}`,
    })),
  );
}

function formatLabels(labels: readonly string[]): string {
  if (labels.length === 0) return 'none';
  const more = labels.length - MAX_REPORTED_LABELS;
  return labels.slice(0, MAX_REPORTED_LABELS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const NAME_RULE_MESSAGE = `must be text of 1 to ${MAX_SPEAKER_NAME_LENGTH} characters without control characters, or null`;

function isValidName(name: unknown): boolean {
  if (name === null) return true;
  return (
    typeof name === 'string' &&
    name !== '' &&
    isTextWithoutControlCharacters(name) &&
    [...name].length <= MAX_SPEAKER_NAME_LENGTH
  );
}

function throwIfInvalid(errors: readonly InvalidField[]): void {
  if (errors.length > 0) throw createInvalidFieldsError(errors.slice(0, MAX_REPORTED_LABELS));
}
