import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiResponse, Client } from './support/client.js';
import { expectStatus } from './support/client.js';
import { Description, type Operation } from './generated/described.js';
import { createMultipart } from './support/multipart.js';
import { expectProblem } from './support/problem.js';
import type { Account } from './support/running-service.js';
import type { Service } from './support/service.js';
import { until } from './support/until.js';

const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';
const VOCABULARY = 'Words of another account';
/** A stream that the wrong account receives would not end. */
const TEST_TIMEOUT_MS = 100_000;
/** Names under which routes take ids of owned resources. A new name must be added here and to `createResources`. */
const ID_NAMES = new Set(['job_id', 'job_ids']);

/**
 * Parameters of queries and headers that name nothing that an account has, and those that the tests below send with what another
 * account has. A new name must be added here.
 */
const PARAMETERS = new Set([
  ...['model', 'output_type', 'word_timestamps', 'speaker_labels', 'diarize', 'nltk', 'filler_words'],
  ...['multichannel', 'num_speakers', 'min_speakers', 'max_speakers', 'tier', 'callback_url', 'redact'],
  ...['custom_vocabulary', 'limit', 'status', 'fields', 'format', 'max_line_chars', 'max_lines'],
  ...['Last-Event-ID', 'X-Request-Id'],
  ...['vocabulary', 'metadata', 'before', 'Idempotency-Key'],
]);

interface Route {
  operation: Operation;
  inPath: boolean;
}

let service: Service;
let [owner, otherClient]: [Client, Client] = [undefined as never, undefined as never];
let routes: Route[];
/** Kind of resource -> its id, all of one account. */
let ids: Record<string, string>;
let jobs: string[];
let before: unknown[];

/** Requires a service that admits webhooks to 127.0.0.9, where nothing listens. */
export function describeIsolation(getService: () => Service): void {
  describe('§2 every route with every kind of id of another account', () => {
    beforeAll(async () => {
      service = getService();
      const [ownAccount, foreign]: [Account, Account] = [
        await service.openAccount(100),
        await service.openAccount(100),
      ];
      [owner, otherClient] = [
        await service.client(ownAccount.api_key),
        await service.client(foreign.api_key),
      ];
      const description = new Description(
        expectStatus<Record<string, unknown>>(200, await owner.send('GET', '/api/v1/openapi.json')),
      );
      routes = listRoutesWithIds(description);
      ids = await createResources(ownAccount);
      jobs = Object.entries(ids).flatMap(([kind, id]) => (kind.includes('job') ? [id] : []));
      before = await Promise.all(jobs.map((id) => owner.job(id)));
    });

    it('the OpenAPI document has routes with ids in the path and in the body', () => {
      expect(routes.filter(({ inPath }) => inPath).length).toBeGreaterThanOrEqual(4);
      expect(routes.filter(({ inPath }) => !inPath).length).toBeGreaterThanOrEqual(6);
    });

    it(
      'a route answers exactly as for an unknown id and changes nothing',
      async () => {
        for (const route of routes)
          for (const [kind, id] of Object.entries(ids)) {
            const responses = await Promise.all([
              sendWithId(route, id),
              sendWithId(route, unknownIdLike(id)),
            ]);
            const description = `${route.operation.name} with the ${kind}`;
            const [foreign, unknown] = responses.map(comparable);
            expect(foreign, description).toEqual(unknown);
            if (isUuid(id) && !route.operation.path.endsWith('check-failed'))
              expect(responses[0]?.status, description).toBe(404);
          }
        expect(await Promise.all(jobs.map((id) => owner.job(id)))).toEqual(before);
      },
      TEST_TIMEOUT_MS,
    );

    it('metadata and a position of another account list no job of it', async () => {
      const { metadata, created_at } = await owner.job(ids['job with a pending upload'] ?? '');
      expect(metadata).toEqual({ name: 'theirs' });
      const queries = ['metadata[name]=theirs', `before=${encodeURIComponent(created_at)}`];
      for (const query of queries)
        expect(expectStatus(200, await otherClient.send('GET', `/api/v1/jobs?${query}`))).toMatchObject({
          jobs: [],
        });
      const own = await owner.send('GET', `/api/v1/jobs?${queries[0]}`);
      expect(expectStatus<{ jobs: unknown[] }>(200, own).jobs).toHaveLength(1);
    });

    it('a vocabulary of another account is unknown to every route that takes its name', async () => {
      const body = JSON.stringify({ file_size: 10, vocabulary: VOCABULARY });
      const headers = { 'Content-Type': 'application/json' };
      for (const path of ['/api/v1/upload', '/api/v1/upload/multipart/create']) {
        const answer = await otherClient.send('POST', path, { body, headers });
        expectProblem(answer, 422, 'validation_failed');
        expectStatus(200, await owner.send('POST', path, { body, headers }));
      }
      const query = `vocabulary=${encodeURIComponent(VOCABULARY)}`;
      const audio = { body: 'not audio', headers: { 'Content-Type': 'audio/wav' } };
      const answer = await otherClient.send('POST', `/api/v1/transcribe?${query}`, audio);
      expectProblem(answer, 422, 'validation_failed');
    });

    it('the job list contains no job of another account', async () => {
      expect(expectStatus(200, await otherClient.send('GET', '/api/v1/jobs'))).toEqual({
        jobs: [],
        next_before: null,
      });
    });

    it('an idempotency key belongs to its account', async () => {
      const create = (client: Client) =>
        client.send('POST', '/api/v1/upload', {
          body: '{"file_size":10}',
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'used-by-both-accounts' },
        });
      const [first, second] = [await create(owner), await create(otherClient)];
      const [ownList, otherList] = [
        expectStatus<{ job_id: string }>(200, first),
        expectStatus<{ job_id: string }>(200, second),
      ];
      expect(otherList.job_id).not.toBe(ownList.job_id);
      expect((await otherClient.send('GET', `/api/v1/jobs/${ownList.job_id}`)).status).toBe(404);
    });
  });
}

/** Every route that takes an id, in its path or in the properties of its body. */
function listRoutesWithIds(description: Description): Route[] {
  return description.operations.flatMap((operation): Route[] => {
    for (const { in: place, name } of operation.parameters)
      if (place !== 'path') expect(PARAMETERS, `${operation.name} takes ${name}`).toContain(name);
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
    const body = operation.body['application/json']?.schema;
    const properties = Object.keys(body ? (description.resolve(body).properties ?? {}) : {});
    const ofBody = properties.filter((name) => /_ids?$/.test(name));
    for (const name of [...inPath.map((parameter) => parameter.name), ...ofBody])
      if (name !== 'model') expect(ID_NAMES, `${operation.name} takes ${name}`).toContain(name);
    if (inPath.some(({ name }) => ID_NAMES.has(name))) return [{ operation, inPath: true }];
    return ofBody.length > 0 ? [{ operation, inPath: false }] : [];
  });
}

function sendWithId({ operation, inPath }: Route, id: string): Promise<ApiResponse> {
  const path = inPath ? operation.path.replace('{job_id}', encodeURIComponent(id)) : operation.path;
  const hasBody = operation.body['application/json'] !== undefined;
  const body = { job_id: id, job_ids: [id], parts: [{ part_number: 1, etag: 'x' }], speakers: {} };
  return otherClient.send(operation.method.toUpperCase(), path, {
    ...(hasBody && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
}

/** A response without the parts that differ between any two responses. */
function comparable({ status, headers, text }: ApiResponse) {
  const names = [...headers.keys()].filter(
    (name) => !/^(date|x-request-id|ratelimit-.*|content-length)$/.test(name),
  );
  const body = { ...(JSON.parse(text) as object), request_id: null };
  return { status, names, type: headers.get('content-type'), body };
}

/** An id of the same form that does not exist. */
function unknownIdLike(id: string): string {
  return isUuid(id) ? UNKNOWN : id.replace(/[a-z0-9]/g, (character) => (character === 'a' ? 'b' : 'a'));
}

function isUuid(id: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);
}

/** One resource of each kind. */
async function createResources({ account_id, api_key }: Account): Promise<Record<string, string>> {
  const uploading = await owner.create({ file_size: 10, metadata: { name: 'theirs' } });
  await service.query(
    `INSERT INTO vocabulary (id, account_id, name, terms) VALUES (gen_random_uuid(), $1, $2, ARRAY['Ada'])`,
    [account_id, VOCABULARY],
  );
  const inParts = await createMultipart(owner, { file_size: 10 });
  const ended = await owner.create({ file_size: 10, callback_url: 'http://127.0.0.9:9/' });
  expectStatus(200, await owner.post('/jobs/cancel', { job_id: ended.job_id }));
  const delivery = await until('the delivery is written', async () => {
    const query = 'SELECT id FROM webhook_delivery WHERE account_id = $1';
    return (await service.query<{ id: string }>(query, [account_id]))[0];
  });
  return {
    'job with a pending upload': uploading.job_id,
    'job with a multipart upload': inParts.job_id,
    'job that ended': ended.job_id,
    upload: inParts.upload_id,
    delivery: delivery.id,
    'API key': api_key,
    'id of the key': api_key.split('_')[1] ?? expect.unreachable('a key'),
    organisation: account_id,
  };
}
