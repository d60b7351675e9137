/** The part of OpenAPI 3.1 that the document uses; Nest's types are those of 3.0. */
export interface ApiDocument {
  openapi: string;
  info: {
    title: string;
    /** Version of the HTTP interface. */
    version: string;
    /** Version of the program. */
    'x-package-version': string;
    description: string;
  };
  servers: { url: string; description?: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string; 'x-displayName'?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: Components;
}

export interface Components {
  schemas: Record<string, Schema>;
  responses: Record<string, Response>;
  headers: Record<string, Header>;
  parameters: Record<string, Parameter>;
  securitySchemes: Record<string, SecurityScheme>;
}

export type SecurityScheme =
  | { type: 'apiKey'; in: string; name: string; description: string }
  | { type: 'http'; scheme: string; description: string };

// A type, not an interface, so that it is assignable to Schema.
export type Ref = { $ref: string };

export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: (Parameter | Ref)[];
  requestBody?: { required?: boolean; description?: string; content: Record<string, MediaType> };
  responses: Record<string, Response | Ref>;
  'x-rate-limit'?: { name: string; requests_per_minute: number };
}

export interface Parameter {
  name: string;
  in: 'header' | 'path' | 'query';
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Ref>;
  content?: Record<string, MediaType>;
}

export interface Header {
  description: string;
  /** Whether every such response has it. */
  required?: boolean;
  schema: Schema;
}

export interface MediaType {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
  /** With `text/event-stream`. */
  'x-events'?: StreamEventDescription[];
}

export interface StreamEventDescription {
  event: string;
  description: string;
  /** Schema of the JSON after `data:`; a string is plain text. */
  data: Schema;
}

/** JSON Schema 2020-12. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

export function toSchemaRef(name: string): Ref {
  return { $ref: `#/components/schemas/${name}` };
}
