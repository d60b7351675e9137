import { type Schema, toSchemaRef } from './document-types.js';

const DEFAULT_SCHEMA_NAMES: Readonly<Record<string, string>> = {
  model: 'Model',
  output_type: 'OutputType',
  word_timestamps: 'EnabledByDefault',
  speaker_labels: 'EnabledByDefault',
  nltk: 'EnabledByDefault',
  filler_words: 'EnabledByDefault',
  multichannel: 'Multichannel',
  tier: 'Tier',
};

/**
 * Moves fields with defaults into named schemas. Generators such as `openapi-typescript` make a field with an inline
 * default required.
 * @throws if a field has a default but no name in `DEFAULT_SCHEMA_NAMES`
 */
export function extractSchemasOfFieldsWithDefaults(schemas: Record<string, Schema>): Record<string, Schema> {
  const shared: Record<string, Schema> = {};
  const toReference = (name: string, field: Schema): Schema => {
    if (field.default === undefined) return field;
    const schemaName = DEFAULT_SCHEMA_NAMES[name];
    if (schemaName === undefined) throw new Error(`Name the schema of ${name}, which has a default.`);
    const { description, examples, ...schema } = field;
    shared[schemaName] = schema;
    return { ...toSchemaRef(schemaName), description, ...(examples && { examples }) };
  };
  const changed = Object.entries(schemas).map(([name, schema]): [string, Schema] => [
    name,
    schema.properties ? { ...schema, properties: mapValues(schema.properties, toReference) } : schema,
  ]);
  return { ...Object.fromEntries(changed), ...shared };
}

function mapValues<T>(fields: Record<string, T>, change: (name: string, field: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(name, field)]));
}
