import type { FieldError } from '@app/errors';
import { type JobMetadata, METADATA_KEY, METADATA_LIMITS } from '@app/jobs';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { isPlainText } from '../validation/is-plain-text.js';

const { entries: MAX_ENTRIES, keyCharacters, valueCharacters } = METADATA_LIMITS;

const TOO_MANY = `must have at most ${MAX_ENTRIES} entries`;
const BAD_KEY = `must have a name of 1 to ${keyCharacters} letters, digits, "_", "." and "-"`;
const BAD_VALUE = `must be text of at most ${valueCharacters} characters, given once, without control characters`;

export const METADATA_SCHEMA = {
  type: 'object' as const,
  additionalProperties: { type: 'string', maxLength: valueCharacters },
  propertyNames: { pattern: `^[A-Za-z0-9_.-]{1,${keyCharacters}}$` },
  maxProperties: MAX_ENTRIES,
  examples: [{ file: 'interview-17.mp3', customer: '4711' }],
};

export const METADATA_PROPERTY = {
  ...METADATA_SCHEMA,
  nullable: true,
  description: `Up to ${MAX_ENTRIES} short strings of your own to find the job again. Returned by retrievals, \`completed\` events and webhooks; usable as list filters.`,
} satisfies ApiPropertyOptions;

/** What is wrong with metadata, each problem under `metadata.KEY`; none of what is left out or no object. */
export function validateMetadata(given: unknown): FieldError[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return [];
  const entries = Object.entries(given);
  if (entries.length > MAX_ENTRIES) return [{ field: 'metadata', message: TOO_MANY }];
  return entries.flatMap(([key, value]) => {
    const field = `metadata.${key.slice(0, keyCharacters).toWellFormed()}`;
    if (!METADATA_KEY.test(key)) return [{ field, message: BAD_KEY }];
    return isValue(value) ? [] : [{ field, message: BAD_VALUE }];
  });
}

function isValue(value: unknown): boolean {
  // A character is one or two units: what is far too long is not taken apart.
  if (typeof value !== 'string' || value.length > 2 * valueCharacters) return false;
  return [...value].length <= valueCharacters && isPlainText(value);
}

/** Null where there is none: an empty object says nothing. */
export function normalizeMetadata(given: JobMetadata | null | undefined): JobMetadata | null {
  return given && Object.keys(given).length > 0 ? given : null;
}

const IN_NAME = /^metadata(?:\.(.*)|\[(.*)\])$/s;

/**
 * The metadata of a query or a form: `metadata.KEY=value`, or `metadata[KEY]=value` as generated clients write it.
 * Values are left as they are, for the judgement to name them.
 * @returns undefined where there is none
 */
export function parseMetadataParameters(
  parameters: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const found = Object.entries(parameters).flatMap(([name, value]) => {
    const [, dotted, bracketed] = IN_NAME.exec(name) ?? [];
    const key = dotted ?? bracketed;
    return key === undefined ? [] : [[key, value] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

export function isMetadataParameter(name: string): boolean {
  return IN_NAME.test(name);
}
