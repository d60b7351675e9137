import type { Header, Parameter, Ref } from './document-types.js';
import { EXAMPLE_VALUES } from './example-values.js';

const countHeader = (description: string, example: number): Header => ({
  description,
  schema: { type: 'integer', minimum: 0, examples: [example] },
});

/** Headers of several responses. Those of rate limits are absent on routes without a limit. */
export const RESPONSE_HEADER_COMPONENTS: Record<string, Header> = {
  'X-Request-Id': {
    description: 'The id of the request, as in the log of the service.',
    required: true,
    schema: { type: 'string', pattern: '^[\\w-]{8,64}$', examples: [EXAMPLE_VALUES.requestId] },
  },
  'RateLimit-Limit': countHeader('Requests per minute of this key on this route.', 120),
  'RateLimit-Remaining': countHeader('Requests that would be admitted now.', 117),
  'RateLimit-Reset': countHeader('Seconds until another request is admitted.', 42),
  'Idempotency-Replayed': {
    description: '`true` when this is the response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Ignored-Fields': {
    description:
      'Names of unknown body fields, of query parameters of a route with a JSON body (`query.NAME`), or of unknown query parameters of `POST /transcribe`, that were ignored; also in errors. Absent when nothing was ignored. Percent-encoded, at most 20, then `...`.',
    schema: { type: 'string', examples: ['outputType, callbackUrl'] },
  },
  'Retry-After': { ...countHeader('Seconds to wait before a retry.', 42), required: true },
  'X-Job-Id': {
    description: 'The job that was created.',
    required: true,
    schema: { type: 'string', format: 'uuid', examples: [EXAMPLE_VALUES.jobId] },
  },
  'X-Should-Retry': {
    description:
      '`false` when a retry would create and charge another job, or cannot help. OpenAI’s clients respect it.',
    required: true,
    schema: { type: 'string', enum: ['false'] },
  },
};

export const REQUEST_ID_PARAMETER: Parameter = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description:
    'Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced.',
  schema: { type: 'string', examples: [EXAMPLE_VALUES.requestId] },
};

export function toHeaderRefs(...names: string[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** For responses that do not always have the headers. */
export function toOptionalHeaders(...names: string[]): Record<string, Header> {
  const headers = names.map((name) => {
    const { required: _, ...header } = RESPONSE_HEADER_COMPONENTS[name] as Header;
    return [name, header];
  });
  return Object.fromEntries(headers) as Record<string, Header>;
}
