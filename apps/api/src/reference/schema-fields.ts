import type { ApiDocument, Ref, Schema } from '../openapi/document-types.js';
import { resolved } from '../openapi/resolved.js';

/** A row of a table of fields. */
export interface Field {
  /** `parts[].etag` for what lies within a list. */
  name: string;
  type: string;
  required: boolean;
  default: unknown;
  description: string;
}

/** The fields of an object, those of its parts after them; of `allOf` the fields of all. */
export function fieldsOf(document: ApiDocument, schema: Schema, prefix = ''): Field[] {
  const { properties = {}, required = [], allOf = [] } = resolved<Schema>(document, schema as Schema | Ref);
  const own = Object.entries(properties).flatMap(([name, part]) => {
    const field = resolved<Schema>(document, part as Schema | Ref);
    const path = prefix + name;
    return [fieldOf(document, path, field, required.includes(name)), ...within(document, path, field)];
  });
  return [...allOf.flatMap((part) => fieldsOf(document, part, prefix)), ...own];
}

function fieldOf(document: ApiDocument, name: string, field: Schema, required: boolean): Field {
  const { description = '', default: usual } = field;
  return { name, type: typeOf(document, field), required, default: usual, description };
}

function within(document: ApiDocument, path: string, field: Schema): Field[] {
  if (field.items) return fieldsOf(document, field.items, `${path}[].`);
  return fieldsOf(document, field, `${path}.`);
}

/** In words: `integer, 1 to 100`, `array of string or null`. */
export function typeOf(document: ApiDocument, schema: Schema): string {
  const { type = [], format, items, enum: words } = schema;
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (words) return words.map((word) => `\`${String(word)}\``).join(' | ');
  const names = [type].flat().filter((name) => name !== 'null');
  const ofItems = items ? ` of ${typeOf(document, resolved<Schema>(document, items as Schema | Ref))}` : '';
  const main = `${names.join(' or ')}${ofItems}${format === undefined ? '' : ` (${format})`}`;
  return `${main}${rangeOf(schema)}${type.includes('null') ? ' or null' : ''}`;
}

function rangeOf(schema: Schema): string {
  const [least, most] = [schema['minimum'], schema['maximum']];
  // Beyond that a number is no longer exact: a limit of the format, not of the field.
  const bounded = typeof most === 'number' && most < Number.MAX_SAFE_INTEGER;
  if (bounded) return `, ${String(least)} to ${most}`;
  if (typeof schema['maxItems'] === 'number') return `, at most ${schema['maxItems']}`;
  return '';
}
