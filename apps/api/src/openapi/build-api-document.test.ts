import { ERROR_CATALOGUE } from '@app/errors';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { DOCUMENTED_EVENTS } from '../streaming/events.openapi.js';
import { buildApiDocument } from './build-api-document.js';
import type {
  ApiDocument,
  MediaType,
  Operation,
  Parameter,
  Ref,
  Response,
  Schema,
} from './document-types.js';
import { createPreviewApp } from './preview.js';
import { resolveRef } from './testing/resolve-ref.js';
import { SchemaValidator } from './testing/schema-validator.js';

/** §4 of the interface specification, copied by hand. */
const SPECIFIED: Record<string, number[]> = {
  'post /api/v1/upload': [200, 400, 401, 402, 413, 422, 429],
  'post /api/v1/upload/progress': [200, 401, 404, 422, 429],
  'post /api/v1/upload/complete': [200, 400, 401, 404, 422, 429],
  'post /api/v1/upload/multipart/create': [200, 400, 401, 402, 413, 422, 429],
  'post /api/v1/upload/multipart/complete': [200, 400, 401, 404, 422, 429],
  'post /api/v1/upload/multipart/abort': [200, 401, 404, 422, 429],
  'get /api/v1/jobs': [200, 400, 401, 429],
  'get /api/v1/jobs/{job_id}': [200, 401, 404, 429],
  'delete /api/v1/jobs/{job_id}': [204, 401, 404, 429],
  'get /api/v1/jobs/{job_id}/stream': [200, 401, 404, 429],
  'post /api/v1/jobs/cancel': [200, 401, 404, 422, 429],
  'post /api/v1/jobs/check-failed': [200, 401, 422, 429],
  'post /api/v1/transcribe': [200, 401, 402, 413, 422, 429],
};
/** What our own additions to the interface answer besides: a key of idempotency that is in use. */
const ADDED: Record<string, number[]> = {
  'post /api/v1/upload': [409],
  'post /api/v1/upload/multipart/create': [409],
  'post /api/v1/transcribe': [409],
};
/** Routes of our own, beside those of the specification. */
const ADDED_ROUTES: Record<string, number[]> = {
  'get /api/v1/account': [200, 401, 429],
  'get /api/v1/jobs/{job_id}/transcript': [200, 400, 401, 404, 429],
  'patch /api/v1/jobs/{job_id}/speakers': [200, 400, 401, 404, 422, 429],
};
const ALWAYS = [500, 503];
const OPEN_ROUTES = ['get /api/v1/openapi.json', 'get /api/v1/transcript.schema.json'];

const registered: string[] = [];
let document: ApiDocument;
let validator: SchemaValidator;

beforeAll(async () => {
  const adapter = new FastifyAdapter();
  adapter.getInstance().addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) registered.push(`${name.toLowerCase()} ${url}`);
  });
  const app = await createPreviewApp(adapter);
  await app.init();
  document = buildApiDocument(app);
  validator = new SchemaValidator(document);
});

const operations = (): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
const resolve = <T extends object>(part: T | Ref): T => resolveRef<T>(document, part);

describe('the OpenAPI document', () => {
  it('lists exactly the routes of the application', () => {
    const isOpenAiRoute = (name: string) => / (\/api)?\/v1(\/|$)/.test(name) && !name.startsWith('head ');
    const documented = operations().map(([name]) => name.replaceAll(/\{(\w+)\}/g, ':$1'));
    expect(documented.filter(isOpenAiRoute).toSorted()).toEqual(registered.filter(isOpenAiRoute).toSorted());
  });

  it('§4 lists for every route exactly the specified statuses, 500 and 503', () => {
    const specifiedOperations = operations().filter(
      ([name]) => name.includes(' /api/v1/') && !OPEN_ROUTES.includes(name),
    );
    const statuses = specifiedOperations.map(([name, { responses }]) => [
      name,
      Object.keys(responses).map(Number),
    ]);
    const expected = Object.entries({ ...SPECIFIED, ...ADDED_ROUTES }).map(([name, listed]) => [
      name,
      [...listed, ...(ADDED[name] ?? []), ...ALWAYS].toSorted((a, b) => a - b),
    ]);
    expect(Object.fromEntries(statuses)).toEqual(Object.fromEntries(expected));
  });

  it('is identical when it is built twice', async () => {
    expect(buildApiDocument(await createPreviewApp())).toEqual(document);
  });

  it('§9 has API version 1.0.0 and OpenAPI version 3.1', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
  });

  it('§5 requires the key on every route except those that describe the service', () => {
    expect(document.security).toEqual([{ apiKey: [] }]);
    expect(document.components.securitySchemes['apiKey']).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
    });
    const open = operations().filter(([, { security }]) => security?.length === 0);
    expect(open.map(([name]) => name).toSorted()).toEqual([
      ...OPEN_ROUTES,
      'get /health/live',
      'get /health/ready',
    ]);
  });

  it('gives every operation a unique id, a summary and a described tag', () => {
    const tags = document.tags.map(({ name }) => name);
    const ids = operations().map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [name, { summary, tags: operationTags = [] }] of operations()) {
      expect(summary, name).toMatch(/^[A-Z].{10,}/);
      expect(operationTags, name).toHaveLength(1);
      expect(tags, name).toEqual(expect.arrayContaining(operationTags));
    }
  });
});

describe('the OpenAPI document for generated clients', () => {
  it('has no two parameters of a route that differ only by case', () => {
    for (const [name, { parameters = [] }] of operations()) {
      const names = parameters
        .map((part) => resolve<Parameter>(part))
        .map(({ in: location, name: operationTags }) => `${location} ${operationTags.toLowerCase()}`);
      expect(new Set(names).size, `${name}: ${names.join(', ')}`).toBe(names.length);
    }
  });

  it('has no optional field with an inline default, which generators treat as required', () => {
    for (const [name, { properties = {} }] of Object.entries(document.components.schemas))
      for (const [field, schema] of Object.entries(properties))
        expect(schema.default, `${name}.${field}`).toBeUndefined();
    const { output_type } = document.components.schemas['JobOptions']?.properties ?? {};
    expect(resolve<Schema>(output_type as Schema | Ref)).toMatchObject({ default: 'json' });
  });
});

describe('the errors in the OpenAPI document', () => {
  it('list the catalogue codes of each status with an example response', () => {
    for (const [name, { responses }] of operations())
      for (const [status, response] of Object.entries(responses)) {
        const { examples = {} } = resolve<Response>(response).content?.['application/problem+json'] ?? {};
        for (const [code, { value }] of Object.entries(examples)) {
          expect(ERROR_CATALOGUE, name).toHaveProperty(
            code,
            expect.objectContaining({ status: Number(status) }),
          );
          expect(value).toMatchObject({ code, status: Number(status) });
        }
      }
  });

  it('include Retry-After with 429 and 503', () => {
    for (const [name, { responses }] of operations())
      for (const status of ['429', '503']) {
        if (!name.includes(' /api/v1/') || !responses[status]) continue;
        expect(resolve<Response>(responses[status]).headers, name).toHaveProperty('Retry-After');
      }
  });
});

describe('the headers in the OpenAPI document', () => {
  const headersOf = (name: string, status: string) => {
    const [, { responses }] = operations().find(([found]) => found === name) ?? expect.unreachable(name);
    return Object.keys(resolve<Response>(responses[status] ?? expect.unreachable(status)).headers ?? {});
  };

  it('include rate-limit headers in every counted response and X-Request-Id in every response', () => {
    for (const [name, [success]] of Object.entries({ ...SPECIFIED, ...ADDED_ROUTES })) {
      const headers = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
      expect(headersOf(name, String(success))).toEqual(expect.arrayContaining(headers));
      expect(headersOf(name, '429')).toEqual(expect.arrayContaining(headers));
      expect(headersOf(name, '401')).toEqual(['X-Request-Id']);
    }
  });

  it('include X-Job-Id for POST /transcribe, and Last-Event-ID for the stream once and not required', () => {
    expect(headersOf('post /api/v1/transcribe', '200')).toContain('X-Job-Id');
    const parameters = document.paths['/api/v1/jobs/{job_id}/stream']?.['get']?.parameters ?? [];
    const resolved = parameters.map((part) => resolve<Parameter>(part));
    const resumption = resolved.filter(({ name }) => name.toLowerCase() === 'last-event-id');
    expect(resumption).toMatchObject([{ name: 'Last-Event-ID', required: false }]);
  });
});

describe('the schemas and examples in the OpenAPI document', () => {
  const bodies = (): [string, MediaType][] =>
    [
      ...operations(),
      ...Object.entries(document.webhooks).map(
        ([name, methods]) => [name, methods['post']] as [string, Operation],
      ),
    ].flatMap(([name, { requestBody, responses }]) =>
      [
        requestBody?.content ?? {},
        ...Object.values(responses).map((part) => resolve<Response>(part).content ?? {}),
      ].flatMap((content) =>
        Object.entries(content).map(([type, media]): [string, MediaType] => [`${name} ${type}`, media]),
      ),
    );
  const schemasWithin = (part: unknown): Schema[] => {
    if (typeof part !== 'object' || part === null) return [];
    const inner = Object.entries(part).flatMap(([key, value]) =>
      key === 'value' || key === 'example' ? [] : schemasWithin(value),
    );
    return Array.isArray((part as Schema).examples) ? [part as Schema, ...inner] : inner;
  };

  it('every schema compiles and every field example is valid', () => {
    for (const [name, schema] of Object.entries(document.components.schemas))
      expect(() => validator.compile(schema), name).not.toThrow();
    const withExamples = schemasWithin(document);
    expect(withExamples.length).toBeGreaterThan(40);
    for (const { examples = [], ...schema } of withExamples)
      for (const example of examples)
        expect(validator.compile(schema)(example), JSON.stringify(example)).toEqual([]);
  });

  it('every body has a schema and a valid example', () => {
    for (const [name, media] of bodies()) {
      // The schema of a stream is that of one event, which the next test but one judges.
      if (media.schema?.format === 'binary' || (media['x-events'] && !name.includes(' /v1/'))) continue;
      const examples = [
        media.example,
        ...Object.values(media.examples ?? {}).map(({ value }) => value),
      ].filter((value) => value !== undefined);
      const reserved = name.endsWith('problem+json') && media.schema?.$ref !== undefined;
      expect(examples.length, name).toBeGreaterThanOrEqual(reserved ? 0 : 1);
      const problems = validator.compile(media.schema ?? expect.unreachable(name));
      for (const example of examples) expect(problems(example), name).toEqual([]);
    }
  });

  it('an invalid body fails its schema', () => {
    const body =
      document.paths['/api/v1/upload']?.['post']?.requestBody?.content['application/json']?.schema ?? {};
    const problems = validator.compile(body);
    for (const validBody of [
      { file_size: 1 },
      { audio_url: 'https://example.com/a' },
      { file_size: 1, audio_url: null },
    ])
      expect(problems(validBody)).toEqual([]);
    for (const invalidBody of [
      {},
      { file_size: null },
      { file_size: 1, audio_url: 'https://example.com/a' },
      { file_size: 0 },
      { file_size: 1, tier: 'gold' },
    ])
      expect(problems(invalidBody)).not.toEqual([]);
  });

  it('§6 every event of the streams has a schema, and its example is valid', () => {
    const streams = bodies().filter(([name]) => / \/api\/v1\/.*text\/event-stream$/.test(name));
    expect(streams).toHaveLength(2);
    const documented = streams.flatMap(([, media]) => media['x-events'] ?? []);
    expect(new Set(documented.map(({ event }) => event))).toEqual(new Set(Object.keys(DOCUMENTED_EVENTS)));
    for (const { event, data } of documented) {
      const { example } = DOCUMENTED_EVENTS[event as keyof typeof DOCUMENTED_EVENTS];
      expect(validator.compile(data)(example), event).toEqual([]);
    }
  });
});
