import type { Header, Parameter, Ref } from './document-types.js';
import { EXAMPLE } from './examples.js';

const count = (description: string, example: number): Header => ({
  description,
  schema: { type: 'integer', minimum: 0, examples: [example] },
});

/** The headers that several answers carry. Those of the limits are left out where nothing is counted. */
export const HEADERS: Record<string, Header> = {
  'X-Request-Id': {
    description: 'The id of the request, as it stands in the log of the service.',
    required: true,
    schema: { type: 'string', pattern: '^[\\w-]{8,64}$', examples: [EXAMPLE.requestId] },
  },
  'RateLimit-Limit': count('Requests a minute that this key may make of this route.', 120),
  'RateLimit-Remaining': count('How many more would be admitted now.', 117),
  'RateLimit-Reset': count('Seconds until there is room for one more.', 42),
  'Idempotency-Replayed': {
    description: '`true` when this is the answer of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { ...count('Seconds after which trying again makes sense.', 42), required: true },
  'X-Job-Id': {
    description: 'The job that was created.',
    required: true,
    schema: { type: 'string', format: 'uuid', examples: [EXAMPLE.jobId] },
  },
  'X-Should-Retry': {
    description:
      '`false` where sending the request again would make, and charge for, another job, or cannot help. OpenAI’s clients heed it.',
    required: true,
    schema: { type: 'string', enum: ['false'] },
  },
};

export const REQUEST_ID: Parameter = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description:
    'Your own id for the request, 8 to 64 letters, digits, `_` and `-`. Anything else is replaced.',
  schema: { type: 'string', examples: [EXAMPLE.requestId] },
};

export function headerRefs(...names: string[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The same where not every such answer has them. */
export function optionalHeaders(...names: string[]): Record<string, Header> {
  const found = names.map((name) => {
    const { required: _, ...header } = HEADERS[name] as Header;
    return [name, header];
  });
  return Object.fromEntries(found) as Record<string, Header>;
}
