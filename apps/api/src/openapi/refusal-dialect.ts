import type { Problem } from '@app/errors';
import { isOpenAiAddress, type OpenAiError } from '../openai/openai-refusal.js';
import type { Header, Ref, Schema } from './document-types.js';
import { headerRefs, optionalHeaders } from './headers.js';

/** How the refusals of a route are told. Their bodies themselves are rendered by the code that answers. */
export interface RefusalDialect {
  /** The name of the schema that every body has. */
  schema: string;
  /** What the bodies of one status have besides. */
  narrowed(status: number, bodies: readonly object[]): Schema;
  /** The stable machine name within a body. */
  codeOf(body: object): string;
  /** Headers that come with a status. */
  headers(status: number): Record<string, Header | Ref>;
  /** Whether an answer of one code is the same on all routes, and kept among the components. */
  shared: boolean;
}

const problemCode = (body: object) => (body as Problem).code;

const PROBLEMS: RefusalDialect = {
  schema: 'Problem',
  narrowed: (status, bodies) => ({
    properties: { status: { const: status }, code: { enum: bodies.map(problemCode) } },
  }),
  codeOf: problemCode,
  headers: (status) => ([409, 429, 503].includes(status) ? headerRefs('Retry-After') : {}),
  shared: true,
};

const errorOf = (body: object) => (body as OpenAiError).error;

const OPENAI_ERRORS: RefusalDialect = {
  schema: 'OpenAiError',
  narrowed: (_, bodies) => {
    const types = [...new Set(bodies.map((body) => errorOf(body).type))];
    const codes = bodies.map((body) => errorOf(body).code);
    return { properties: { error: { properties: { type: { enum: types }, code: { enum: codes } } } } };
  },
  codeOf: (body) => errorOf(body).code,
  // Credit does not come back by waiting, and a process that ends does not know when the next one is there.
  headers: (status) => ([429, 503].includes(status) ? optionalHeaders('Retry-After') : {}),
  shared: false,
};

export function refusalDialect(path: string): RefusalDialect {
  return isOpenAiAddress(path) ? OPENAI_ERRORS : PROBLEMS;
}
