import { isPrintableText } from '@app/errors';
import type { InvalidField } from '@app/errors';
import { type JobMetadata, METADATA_KEY_PATTERN, METADATA_LIMITS } from '@app/jobs';
import type { ApiPropertyOptions } from '@nestjs/swagger';

const { entries: MAX_ENTRIES, keyCharacters, valueCharacters } = METADATA_LIMITS;

const TOO_MANY_ENTRIES_MESSAGE = `must have at most ${MAX_ENTRIES} entries`;
const INVALID_KEY_MESSAGE = `must have a name of 1 to ${keyCharacters} letters, digits, "_", "." and "-"`;
const INVALID_VALUE_MESSAGE = `must be text of at most ${valueCharacters} characters without control characters`;

export const METADATA_SCHEMA = {
  type: 'object' as const,
  additionalProperties: { type: 'string', maxLength: valueCharacters },
  propertyNames: { pattern: `^[A-Za-z0-9_.-]{1,${keyCharacters}}$` },
  maxProperties: MAX_ENTRIES,
  examples: [{ file: 'interview-17.mp3', customer: '4711' }],
};

export const METADATA_REQUEST_SCHEMA = {
  ...METADATA_SCHEMA,
  nullable: true,
  description: `Up to ${MAX_ENTRIES} short strings of your own to find the job again. Returned by retrievals, \`completed\` events and webhooks; usable as list filters.`,
} satisfies ApiPropertyOptions;

/** Returns the errors of the entries, each under `metadata.KEY`; none for a value that is not an object. */
export function findMetadataErrors(metadata: unknown): InvalidField[] {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return [];
  const entries = Object.entries(metadata);
  if (entries.length > MAX_ENTRIES) return [{ field: 'metadata', message: TOO_MANY_ENTRIES_MESSAGE }];
  return entries.flatMap(([key, value]) => {
    const field = `metadata.${key.slice(0, keyCharacters).toWellFormed()}`;
    if (!METADATA_KEY_PATTERN.test(key)) return [{ field, message: INVALID_KEY_MESSAGE }];
    // A parameter that is repeated is an array.
    if (Array.isArray(value)) return [{ field, message: 'must be a string, given once' }];
    if (typeof value !== 'string') return [{ field, message: 'must be a string' }];
    return isValidValue(value) ? [] : [{ field, message: INVALID_VALUE_MESSAGE }];
  });
}

function isValidValue(value: string): boolean {
  // A character has one or two UTF-16 units: skip splitting text that is certainly too long.
  if (value.length > 2 * valueCharacters) return false;
  return [...value].length <= valueCharacters && isPrintableText(value);
}

/** Returns null for absent or empty metadata. */
export function emptyMetadataToNull(metadata: JobMetadata | null | undefined): JobMetadata | null {
  return metadata && Object.keys(metadata).length > 0 ? metadata : null;
}

const METADATA_PARAMETER = /^metadata(?:\.(.*)|\[(.*)\])$/s;

/**
 * Collects metadata from a query or form: `metadata.KEY=value`, or `metadata[KEY]=value` of generated clients. The
 * values of a repeated key are an array. Values are not validated here.
 * @returns undefined without any
 */
export function collectMetadataParameters(
  parameters: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const valueByKey = new Map<string, unknown>();
  for (const [name, value] of Object.entries(parameters)) {
    const [, dotted, bracketed] = METADATA_PARAMETER.exec(name) ?? [];
    const key = dotted ?? bracketed;
    if (key === undefined) continue;
    // Both spellings of one key are a repetition, like a repeated parameter.
    valueByKey.set(key, valueByKey.has(key) ? [valueByKey.get(key), value].flat() : value);
  }
  return valueByKey.size === 0 ? undefined : Object.fromEntries(valueByKey);
}

export function isMetadataParameter(name: string): boolean {
  return METADATA_PARAMETER.test(name);
}
