import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiDocument, Operation, Ref, Response } from '../../../openapi/document-types.js';
import { buildApiDocumentFromPreviewApp } from '../../../openapi/preview.js';
import { resolveRef } from '../../../openapi/testing/resolve-ref.js';
import { SchemaValidator } from '../../../openapi/testing/schema-validator.js';

const TRANSCRIPTIONS = 'post /v1/audio/transcriptions';
/** What docs/api/openai.md says of the routes below /v1. */
const STATUSES: Record<string, number[]> = {
  [TRANSCRIPTIONS]: [200, 400, 401, 409, 413, 429, 500, 503],
  'get /v1/models': [200, 401, 500, 503],
  'get /v1/models/{model}': [200, 401, 404, 500, 503],
};
const REFUSALS = [
  '400 transcript_too_large',
  '400 unprocessable_audio',
  '400 validation_failed',
  '401 invalid_api_key',
  '404 model_not_found',
  '404 unknown_url',
  '409 job_cancelled',
  '413 file_too_large',
  '429 concurrency_limit_exceeded',
  '429 insufficient_quota',
  '429 quota_exceeded',
  '429 rate_limit_exceeded',
  '500 internal_error',
  '500 job_failed',
  '503 service_unavailable',
];

let document: ApiDocument;
let operations: [string, Operation][];

beforeAll(async () => {
  document = await buildApiDocumentFromPreviewApp();
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
});

const listDocumentedOperations = () => operations.filter(([name]) => name in STATUSES);
const resolveResponse = (part: Response | Ref | undefined) =>
  resolveRef<Response>(document, part ?? expect.unreachable());
const headersOf = (name: string, status: string) => {
  const [, { responses }] = operations.find(([operation]) => operation === name) ?? expect.unreachable(name);
  return resolveResponse(responses[status]).headers ?? {};
};

describe('the routes below /v1 in the OpenAPI document', () => {
  it('document the responses that they send', () => {
    const operation = listDocumentedOperations().map(([name, { responses }]) => [
      name,
      Object.keys(responses).map(Number),
    ]);
    expect(Object.fromEntries(operation)).toEqual(STATUSES);
  });

  it('accept the key as a bearer token or in X-API-Key, and no other route accepts a bearer token', () => {
    const bearer = operations.filter(([, { security = [] }]) =>
      security.some((scheme) => 'bearerKey' in scheme),
    );
    expect(bearer.map(([name]) => name).toSorted()).toEqual(Object.keys(STATUSES).toSorted());
    for (const [, { security }] of bearer) expect(security).toEqual([{ bearerKey: [] }, { apiKey: [] }]);
    expect(document.components.securitySchemes['bearerKey']).toMatchObject({
      type: 'http',
      scheme: 'bearer',
    });
  });

  it('document errors in the OpenAI format with its statuses and codes', () => {
    const errorResponses = listDocumentedOperations().flatMap(([, { responses }]) =>
      Object.entries(responses).filter(([status]) => Number(status) >= 400),
    );
    const codes = errorResponses.flatMap(([status, part]) => {
      const { content = {} } = resolveResponse(part);
      expect(Object.keys(content)).toEqual(['application/json']);
      return Object.entries(content['application/json']?.examples ?? {}).map(([code, { value }]) => {
        expect(value).toMatchObject({ error: { code, message: expect.stringMatching(/\w/) } });
        return `${status} ${code}`;
      });
    });
    expect([...new Set(codes)].toSorted()).toEqual(REFUSALS);
  });

  it('document rate-limit headers where requests are counted, and X-Job-Id wherever a job may exist', () => {
    for (const status of ['200', '400', '409', '429', '500', '503'])
      expect(Object.keys(headersOf(TRANSCRIPTIONS, status))).toEqual(
        expect.arrayContaining(['RateLimit-Limit', 'X-Job-Id', 'X-Should-Retry']),
      );
    for (const status of ['200', '401', '500'])
      expect(Object.keys(headersOf('get /v1/models', status))).toEqual(['X-Request-Id']);
  });

  it('do not require Retry-After with every 429, because insufficient credits do not recover by waiting', () => {
    expect(headersOf(TRANSCRIPTIONS, '429')['Retry-After']).not.toHaveProperty('required');
  });

  it('document a schema for every stream event and an example of a successful stream', () => {
    const validator = new SchemaValidator(document);
    const [, { responses }] =
      listDocumentedOperations().find(([name]) => name === TRANSCRIPTIONS) ?? expect.unreachable();
    const { example, 'x-events': events = [] } =
      resolveResponse(responses['200']).content?.['text/event-stream'] ?? {};
    const streamedEvents = [...String(example).matchAll(/^data: (.*)$/gm)].map(
      ([, data = '']) => JSON.parse(data) as { type: string },
    );
    expect(events.map(({ event }) => event)).toEqual([
      ...new Set(streamedEvents.map(({ type }) => type)),
      'error',
    ]);
    for (const event of streamedEvents) {
      const { data } = events.find(({ event: name }) => name === event.type) ?? expect.unreachable();
      expect(validator.compile(data)(event)).toEqual([]);
    }
  });
});
