import type { ApiDocument, MediaType, Operation, Response, Schema } from './document-types.js';

/** Gives every JSON body that has no example of its own one that is put together from those of its fields. */
export function addBodyExamples({ components }: ApiDocument, operations: Operation[]): void {
  const bodies = operations.flatMap(({ requestBody, responses }) => [
    requestBody?.content,
    ...Object.values(responses).map((response) => (response as Response).content),
  ]);
  for (const content of bodies) addExample(content?.['application/json'], components.schemas);
}

function addExample(media: MediaType | undefined, schemas: Record<string, Schema>): void {
  if (!media?.schema || media.example !== undefined || media.examples !== undefined) return;
  media.example = buildExample(media.schema, schemas);
}

/** Undefined for a field that has no example: it is left out. */
function buildExample(schema: Schema, schemas: Record<string, Schema>): unknown {
  const named = schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (named.examples) return named.examples[0];
  // How a description is put beside a reference: all parts are objects.
  if (named.allOf)
    return Object.assign({}, ...named.allOf.map((part) => buildExample(part, schemas) as object)) as object;
  if (named.items) return [buildExample(named.items, schemas)];
  if (!named.properties) return named.const;
  const fields = Object.entries(named.properties).map(([name, field]) => [
    name,
    buildExample(field, schemas),
  ]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}
