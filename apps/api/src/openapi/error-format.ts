import type { Problem } from '@app/errors';
import { isOpenAiPath, type OpenAiError } from '../openai/openai-error.js';
import type { Header, Ref, Schema } from './document-types.js';
import { toHeaderRefs, toOptionalHeaders } from './headers.js';

/** How the refusals of a route are told. Their bodies themselves are rendered by the code that answers. */
export interface ErrorFormat {
  /** The name of the schema that every body has. */
  schema: string;
  /** What the bodies of one status have besides. */
  narrowSchema(status: number, bodies: readonly object[]): Schema;
  /** The stable machine name within a body. */
  getCode(body: object): string;
  /** Headers that come with a status. */
  headers(status: number): Record<string, Header | Ref>;
  /** Whether an answer of one code is the same on all routes, and kept among the components. */
  isShared: boolean;
}

const getProblemCode = (body: object) => (body as Problem).code;

const PROBLEM_FORMAT: ErrorFormat = {
  schema: 'Problem',
  narrowSchema: (status, bodies) => ({
    properties: { status: { const: status }, code: { enum: bodies.map(getProblemCode) } },
  }),
  getCode: getProblemCode,
  headers: (status) => ([409, 429, 503].includes(status) ? toHeaderRefs('Retry-After') : {}),
  isShared: true,
};

const getOpenAiError = (body: object) => (body as OpenAiError).error;

const OPENAI_ERROR_FORMAT: ErrorFormat = {
  schema: 'OpenAiError',
  narrowSchema: (_, bodies) => {
    const types = [...new Set(bodies.map((body) => getOpenAiError(body).type))];
    const codes = bodies.map((body) => getOpenAiError(body).code);
    return { properties: { error: { properties: { type: { enum: types }, code: { enum: codes } } } } };
  },
  getCode: (body) => getOpenAiError(body).code,
  // Credit does not come back by waiting, and a process that ends does not know when the next one is there.
  headers: (status) => ([429, 503].includes(status) ? toOptionalHeaders('Retry-After') : {}),
  isShared: false,
};

export function errorFormatFor(path: string): ErrorFormat {
  return isOpenAiPath(path) ? OPENAI_ERROR_FORMAT : PROBLEM_FORMAT;
}
