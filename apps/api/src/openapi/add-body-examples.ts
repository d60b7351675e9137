import type { ApiDocument, MediaType, Response, Schema } from './document-types.js';

/** Adds an example, built from those of the fields, to every JSON body without one. */
export function addBodyExamples({ paths, components }: ApiDocument): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
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

/** @returns undefined without examples; the field is then omitted */
function buildExample(schema: Schema, schemas: Record<string, Schema>): unknown {
  const resolved = schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (resolved.examples) return resolved.examples[0];
  // A reference with a description; all parts are objects.
  if (resolved.allOf)
    return Object.assign(
      {},
      ...resolved.allOf.map((part) => buildExample(part, schemas) as object),
    ) as object;
  if (resolved.items) return [buildExample(resolved.items, schemas)];
  if (!resolved.properties) return resolved.const;
  const fields = Object.entries(resolved.properties).map(([name, field]) => [
    name,
    buildExample(field, schemas),
  ]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}
