import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ApiDocument, Schema } from '../document-types.js';

/** Words of OpenAPI that are no keywords of JSON Schema. */
const OPENAPI_KEYWORDS = Object.keys({
  openapi: 0,
  info: 0,
  servers: 0,
  tags: 0,
  security: 0,
  paths: 0,
  webhooks: 0,
  components: 0,
});

export type FindSchemaErrors = (value: unknown) => ErrorObject[];

/** Judges values by schemas of the document, strictly: a keyword that means nothing is an error. */
export class SchemaValidator {
  private readonly ajv = new Ajv2020({
    allowUnionTypes: true,
    allErrors: true,
    strictTypes: false,
    keywords: OPENAPI_KEYWORDS,
  });

  constructor(document: ApiDocument) {
    addFormats.default(this.ajv);
    this.ajv.addFormat('binary', true);
    this.ajv.addSchema({ ...document, $id: 'document' });
  }

  /** @throws when the schema is none */
  compile(schema: Schema): FindSchemaErrors {
    const judge = this.ajv.compile(toAbsoluteRefs(schema) as object);
    return (value) => (judge(value) ? [] : (judge.errors ?? []));
  }
}

/** References lead into the document, wherever the schema itself stands. */
function toAbsoluteRefs(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(toAbsoluteRefs);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    key === '$ref' && String(value).startsWith('#') ? `document${String(value)}` : toAbsoluteRefs(value),
  ]);
  return Object.fromEntries(entries) as unknown;
}
