import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: 'header' | 'path' | 'query';
  schema: Schema;
}

export interface DocumentedResponse {
  headers?: Record<string, { required?: boolean }>;
  content?: Record<string, { schema?: Schema; examples?: Record<string, unknown> }>;
}

/** A route of the document with resolved references. */
export interface Operation {
  /** `post /api/v1/upload`. */
  name: string;
  method: string;
  path: string;
  isPublic: boolean;
  parameters: Parameter[];
  /** Content type -> schema. */
  body: Record<string, { schema?: Schema }>;
  /** Status -> response. */
  documentedResponses: Record<string, DocumentedResponse>;
  /** Reports of failed requests show only the name. */
  [fc.toStringMethod]: () => string;
}

type Json = Record<string, unknown>;

/** The OpenAPI document of the running service. */
export class Description {
  readonly operations: Operation[];
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });

  constructor(private readonly document: Json) {
    addFormats.default(this.ajv);
    this.ajv.addSchema({ ...document, $id: 'document' });
    this.operations = Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => this.toOperation(method, path, operation)),
    );
  }

  /** The errors of a value against the schema. */
  findSchemaErrors(schema: Schema, value: unknown): ErrorObject[] {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#');
    const validate = this.validators.get(text) ?? this.ajv.compile(JSON.parse(text) as Schema);
    this.validators.set(text, validate);
    return validate(value) ? [] : (validate.errors ?? []);
  }

  resolve<T extends object>(part: T): T {
    if (!('$ref' in part)) return part;
    const keys = String(part.$ref).split('/').slice(1);
    return keys.reduce<unknown>((node, key) => (node as Json)[key], this.document) as T;
  }

  private toOperation(method: string, path: string, definition: Json): Operation {
    const {
      parameters = [],
      requestBody,
      responses,
      security,
    } = definition as {
      parameters?: Parameter[];
      requestBody?: { content: Record<string, { schema?: Schema }> };
      responses: Record<string, DocumentedResponse>;
      security?: unknown[];
    };
    const name = `${method} ${path}`;
    return {
      name,
      [fc.toStringMethod]: () => name,
      method,
      path,
      isPublic: security?.length === 0,
      parameters: parameters.map((part) => this.resolve(part)),
      body: requestBody?.content ?? {},
      documentedResponses: Object.fromEntries(
        Object.entries(responses).map(([status, part]) => [status, this.resolve(part)]),
      ),
    };
  }
}
