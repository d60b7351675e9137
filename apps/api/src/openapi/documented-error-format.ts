import type { Problem } from '@app/errors';
import { isOpenAiApiPath, type OpenAiErrorBody } from '../errors/openai-error-response.js';
import type { Header, Ref, Schema } from './document-types.js';
import { toHeaderRefs, toOptionalHeaders } from './headers.js';

/** How the errors of a route are described in the OpenAPI document. */
export interface DocumentedErrorFormat {
  /** Name of the schema of every body. */
  schema: string;
  /** Restricts the schema to the bodies of one status. */
  narrowSchema(status: number, bodies: readonly object[]): Schema;
  getCode(body: object): string;
  headers(status: number): Record<string, Header | Ref>;
  /** Whether the response of a code is the same on all routes, so that it is a shared component. */
  isShared: boolean;
}

const getProblemCode = (body: object) => (body as Problem).code;

const PROBLEM_FORMAT: DocumentedErrorFormat = {
  schema: 'Problem',
  narrowSchema: (status, bodies) => ({
    properties: { status: { const: status }, code: { enum: bodies.map(getProblemCode) } },
  }),
  getCode: getProblemCode,
  headers: (status) => ([409, 429, 503].includes(status) ? toHeaderRefs('Retry-After') : {}),
  isShared: true,
};

const getOpenAiError = (body: object) => (body as OpenAiErrorBody).error;

const OPENAI_ERROR_FORMAT: DocumentedErrorFormat = {
  schema: 'OpenAiError',
  narrowSchema: (_, bodies) => {
    const types = [...new Set(bodies.map((body) => getOpenAiError(body).type))];
    const codes = bodies.map((body) => getOpenAiError(body).code);
    return { properties: { error: { properties: { type: { enum: types }, code: { enum: codes } } } } };
  },
  getCode: (body) => getOpenAiError(body).code,
  // A 429 for lack of credits and a 503 at shutdown have no Retry-After.
  headers: (status) => ([429, 503].includes(status) ? toOptionalHeaders('Retry-After') : {}),
  isShared: false,
};

export function selectDocumentedErrorFormat(path: string): DocumentedErrorFormat {
  return isOpenAiApiPath(path) ? OPENAI_ERROR_FORMAT : PROBLEM_FORMAT;
}
