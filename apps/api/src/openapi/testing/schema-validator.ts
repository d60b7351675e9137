import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ApiDocument, Schema } from '../document-types.js';

/** Keywords of OpenAPI that JSON Schema lacks. */
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

export type CompiledSchemaValidator = (value: unknown) => ErrorObject[];

/** Validates values against schemas of the document. Unknown keywords are errors. */
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

  /** @throws if the schema is invalid */
  compile(schema: Schema): CompiledSchemaValidator {
    const validate = this.ajv.compile(toAbsoluteRefs(schema) as object);
    return (value) => (validate(value) ? [] : (validate.errors ?? []));
  }
}

/** Makes references absolute, so that a schema can be compiled outside of the document. */
function toAbsoluteRefs(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(toAbsoluteRefs);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    key === '$ref' && String(value).startsWith('#') ? `document${String(value)}` : toAbsoluteRefs(value),
  ]);
  return Object.fromEntries(entries) as unknown;
}
