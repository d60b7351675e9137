import { type Schema, schemaRef } from './document-types.js';

/** Field with a default -> the schema that carries it. */
const DEFAULT_SCHEMA_NAMES: Readonly<Record<string, string>> = {
  model: 'Model',
  output_type: 'OutputType',
  word_timestamps: 'EnabledByDefault',
  speaker_labels: 'EnabledByDefault',
  nltk: 'EnabledByDefault',
  tier: 'Tier',
};

/**
 * Moves the defaults of fields into schemas of their own, to which the fields refer. Generators such as
 * `openapi-typescript` take a field that has a default itself for one that is always there, and a caller would have to
 * send it.
 * @throws where a field has a default and no name is known for its schema
 */
export function extractDefaultSchemas(schemas: Record<string, Schema>): Record<string, Schema> {
  const shared: Record<string, Schema> = {};
  const fieldOf = (name: string, field: Schema): Schema => {
    if (field.default === undefined) return field;
    const schemaName = DEFAULT_SCHEMA_NAMES[name];
    if (schemaName === undefined) throw new Error(`Name the schema of ${name}, which has a default.`);
    const { description, examples, ...schema } = field;
    shared[schemaName] = schema;
    return { ...schemaRef(schemaName), description, ...(examples && { examples }) };
  };
  const changed = Object.entries(schemas).map(([name, schema]): [string, Schema] => [
    name,
    schema.properties ? { ...schema, properties: mapValues(schema.properties, fieldOf) } : schema,
  ]);
  return { ...Object.fromEntries(changed), ...shared };
}

function mapValues<T>(fields: Record<string, T>, change: (name: string, field: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(name, field)]));
}
