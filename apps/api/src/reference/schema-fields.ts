import type { ApiDocument, Ref, Schema } from '../openapi/document-types.js';
import { resolved } from '../openapi/resolved.js';

/** A longer list of values is not written into a cell: that of the error codes has a table of its own. */
const MANY_WORDS = 20;

/** A row of a table of fields. */
export interface Field {
  /** `parts[].etag` for what lies within a list. */
  name: string;
  type: string;
  required: boolean;
  default: unknown;
  description: string;
}

/**
 * The fields of an object, those of its parts after them; of `allOf` the fields of all; of `oneOf` each field once, with
 * all of its types.
 */
export function fieldsOf(document: ApiDocument, schema: Schema, prefix = ''): Field[] {
  const {
    properties = {},
    required = [],
    allOf = [],
    oneOf = [],
  } = resolved<Schema>(document, schema as Schema | Ref);
  const own = Object.entries(properties).flatMap(([name, part]) => {
    const field = fieldSchema(document, part);
    const path = prefix + name;
    return [fieldOf(document, path, field, required.includes(name)), ...within(document, path, field)];
  });
  const choices = oneOf.map((choice) => fieldsOf(document, choice, prefix));
  return [...allOf.flatMap((part) => fieldsOf(document, part, prefix)), ...own, ...eachOnce(choices)];
}

/** What a field says of itself goes before what the schema says that it refers to. */
function fieldSchema(document: ApiDocument, part: Schema): Schema {
  const { $ref: _, ...said } = part;
  return { ...resolved<Schema>(document, part as Schema | Ref), ...said };
}

function eachOnce(choices: Field[][]): Field[] {
  const fields = new Map<string, Field>();
  for (const field of choices.flat()) {
    const known = fields.get(field.name);
    if (!known) fields.set(field.name, field);
    else {
      known.required &&= field.required;
      known.description ||= field.description;
      if (known.type !== field.type)
        known.type = [known.type, field.type].toSorted((a) => (a === 'null' ? 1 : -1)).join(' or ');
    }
  }
  return [...fields.values()];
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
  if (words && words.length > MANY_WORDS) return `string, one of ${words.length}`;
  if (words) return words.map((word) => `\`${String(word)}\``).join(' | ');
  if (type === 'null') return type;
  const names = [type].flat().filter((name) => name !== 'null');
  const ofItems = items ? ` of ${typeOf(document, resolved<Schema>(document, items as Schema | Ref))}` : '';
  const values = schema['additionalProperties'];
  const ofValues = typeof values === 'object' ? ` of ${typeOf(document, values as Schema)}` : '';
  const main = `${names.join(' or ')}${ofItems}${ofValues}${format === undefined ? '' : ` (${format})`}`;
  return `${main}${rangeOf(schema)}${type.includes('null') ? ' or null' : ''}`;
}

function rangeOf(schema: Schema): string {
  const [least, most] = [schema['minimum'], schema['maximum']];
  // Beyond that a number is no longer exact: a limit of the format, not of the field.
  const bounded = typeof most === 'number' && most < Number.MAX_SAFE_INTEGER;
  if (bounded) return `, ${String(least)} to ${most}`;
  const count = schema['maxItems'] ?? schema['maxProperties'];
  if (typeof count === 'number') return `, at most ${count}`;
  return '';
}
