import { beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from './support/audio.js';
import { type ApiResponse, Client, expectStatus } from './support/client.js';
import { expectProblem } from './support/problem.js';
import type { Account, CreatedKey } from './support/running-service.js';
import type { Service } from './support/service.js';
import { until } from './support/until.js';

const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';

let service: Service;
let client: Client;

type Route = readonly [name: string, call: (client: Client, jobId: string) => Promise<ApiResponse>];

const ROUTES_WITH_ID: Route[] = [
  ['GET /jobs/{id}', (caller, id) => caller.send('GET', `/api/v1/jobs/${id}`)],
  ['GET /jobs/{id}/transcript', (caller, id) => caller.send('GET', `/api/v1/jobs/${id}/transcript`)],
  [
    'PATCH /jobs/{id}/speakers',
    (caller, id) =>
      caller.send('PATCH', `/api/v1/jobs/${id}/speakers`, {
        body: '{"speakers":{}}',
        headers: { 'Content-Type': 'application/json' },
      }),
  ],
  ['GET /jobs/{id}/stream', (caller, id) => caller.send('GET', `/api/v1/jobs/${id}/stream`)],
  ['POST /upload/progress', (caller, id) => caller.progress(id)],
  ['POST /upload/complete', (caller, id) => caller.complete(id)],
];
const ROUTES: Route[] = [
  ['POST /upload', (caller) => caller.post('/upload', { file_size: 10 })],
  ...ROUTES_WITH_ID,
];

export function describeAccess(getService: () => Service): void {
  beforeAll(async () => {
    service = getService();
    client = await service.client();
  });

  describe('§5 authentication', () => {
    let account: Account;
    /** Additional keys of the account, revoked by tests. */
    let unused: CreatedKey[];

    beforeAll(async () => {
      account = await service.openAccount(100);
      const createAccountKey = () => service.createKey(account.account_id);
      unused = await Promise.all([createAccountKey(), createAccountKey(), createAccountKey()]);
    });

    it.each(ROUTES)('%s without a key or with an invalid key answers 401', async (_, call) => {
      const validKey = await service.apiKey();
      const keys = [
        null,
        '',
        ' ',
        'x',
        'null',
        `${validKey}x`,
        validKey.slice(0, -1),
        validKey.toUpperCase(),
        'a'.repeat(5_000),
      ];
      for (const key of keys)
        expectProblem(await call(new Client(service.baseUrl, key), UNKNOWN), 401, 'invalid_api_key');
    });

    it('an invalid key answers 401 before the body is validated', async () => {
      const anonymousClient = new Client(service.baseUrl, null);
      expectProblem(await anonymousClient.post('/upload', { file_size: 'wrong' }), 401);
      expectProblem(await anonymousClient.post('/upload/complete', {}), 401);
    });

    it('a revoked key is rejected while the other keys of its account still work', async () => {
      const added = unused.pop() ?? expect.unreachable('a key for every test');
      const revoked = new Client(service.baseUrl, added.api_key);
      const { job_id } = await revoked.create({ file_size: 10 });
      await service.adminJson('keys', 'revoke', added.key_id, '--json');
      expectProblem(await revoked.progress(job_id), 401, 'invalid_api_key');
      expectProblem(await revoked.post('/upload', { file_size: 10 }), 401, 'invalid_api_key');
      expect((await new Client(service.baseUrl, account.api_key).job(job_id)).status).toBe('processing');
    });

    it('revoking a key ends only the event streams that it opened', async () => {
      const added = unused.pop() ?? expect.unreachable('a key for every test');
      const [activeClient, revoked] = [
        new Client(service.baseUrl, account.api_key),
        new Client(service.baseUrl, added.api_key),
      ];
      const { job_id } = await revoked.create({ file_size: 10 });
      let isRevokedEnded = false;
      const kept = activeClient.events(job_id);
      const ended = revoked.events(job_id).finally(() => (isRevokedEnded = true));
      for (const listening of [kept, ended]) listening.catch(() => undefined);
      await until('both are served', async () => (await countServedStreams()) === 2);

      await service.adminJson('keys', 'revoke', added.key_id, '--json');
      await until('its stream has ended', () => isRevokedEnded);
      expectStatus(200, await activeClient.post('/jobs/cancel', { job_id }));
      expect((await kept).at(-1)?.name).toBe('failed');
    });

    it('§4.12 revoking a key aborts its POST /transcribe response while the job continues', async () => {
      const added = unused.pop() ?? expect.unreachable('a key for every test');
      await service.whileStopped('processor', async () => {
        const response = await fetch(`${service.baseUrl}/api/v1/transcribe`, {
          method: 'POST',
          body: silentWav(1),
          headers: { 'X-API-Key': added.api_key, 'Content-Type': 'audio/wav' },
        });
        const responseEnd = response.text().then(
          () => 'complete',
          () => 'cut',
        );
        await service.adminJson('keys', 'revoke', added.key_id, '--json');
        expect(await responseEnd).toBe('cut');
        const activeClient = new Client(service.baseUrl, account.api_key);
        const job_id = response.headers.get('x-job-id') ?? '';
        expect((await activeClient.job(job_id)).status).toBe('processing');
        expectStatus(200, await activeClient.post('/jobs/cancel', { job_id }));
      });
    });

    const countServedStreams = async () => {
      const { text } = await client.send('GET', '/metrics');
      return Number(/^zephyr_streams\{state="served".*\} (\d+)$/m.exec(text)?.[1]);
    };
  });

  describe("§2 another account's job", () => {
    const withoutRequestId = ({ status, headers, text }: ApiResponse) => ({
      status,
      type: headers.get('content-type'),
      problem: { ...(JSON.parse(text) as object), request_id: null },
    });

    let otherClient: Client;
    beforeAll(async () => {
      otherClient = await service.client((await service.openAccount(100)).api_key);
    });

    it.each(ROUTES_WITH_ID)(
      '%s with a job of another account answers the same 404 as for an unknown id',
      async (_, call) => {
        const { job_id } = await client.create({ file_size: 10 });
        const foreign = await call(otherClient, job_id);
        const unknown = await call(otherClient, UNKNOWN);
        expectProblem(foreign, 404, 'job_not_found');
        expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown));
        expect((await client.job(job_id)).status).toBe('processing');
      },
    );

    it('an id that is not a UUID answers 404 in a path and 422 naming job_id in a body', async () => {
      for (const id of ['x', '1', '%00', '..%2f..', "'%20OR%201=1", 'a'.repeat(500), `${UNKNOWN}0`]) {
        expectProblem(await client.send('GET', `/api/v1/jobs/${id}`), 404);
        expectProblem(await client.send('GET', `/api/v1/jobs/${id}/stream`), 404);
      }
      for (const job_id of ['', 'x', 1, null, {}, [UNKNOWN], `${UNKNOWN}\u0000`, undefined])
        for (const route of ['/upload/complete', '/upload/progress']) {
          const { errors } = expectProblem(await client.post(route, { job_id }), 422);
          expect(errors).toEqual([{ field: 'job_id', message: expect.any(String) }]);
        }
    });
  });

  describe('§7 errors', () => {
    it.each([
      ['GET', '/api'],
      ['GET', '/api/v1'],
      ['GET', '/api/v1/nothing'],
      ['POST', '/api/v1/jobs/x/y/z'],
      ['GET', '/api/v2/jobs/x'],
      ['GET', '/%E0%A4%A'],
      ['PATCH', '/objects'],
    ])('an unknown route (%s %s) answers a 404 problem', async (method, path) => {
      expectProblem(await client.send(method, path), 404);
    });

    it.each([
      ['DELETE', '/api/v1/upload', 'OPTIONS, POST'],
      ['GET', '/api/v1/upload/complete', 'OPTIONS, POST'],
      ['PUT', '/api/v1/jobs?limit=5', 'GET, HEAD, OPTIONS'],
      ['POST', `/api/v1/jobs/${UNKNOWN}`, 'DELETE, GET, HEAD, OPTIONS'],
      ['GET', `/api/v1/jobs/${UNKNOWN}/speakers`, 'OPTIONS, PATCH'],
      ['POST', '/health/live', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/objects/audio/x', 'GET, HEAD, OPTIONS, PUT'],
      ['POST', '/transcripts/x', 'GET, HEAD, OPTIONS'],
    ])(
      'an unsupported method (%s %s) answers a 405 problem with Allow: %s, with and without a key',
      async (method, path, allow) => {
        for (const caller of [client, new Client(service.baseUrl, null)]) {
          const response = await caller.send(method, path);
          expectProblem(response, 405, 'method_not_allowed');
          expect(response.headers.get('allow')).toBe(allow);
        }
      },
    );

    it('OPTIONS answers an empty 204 with the allowed methods', async () => {
      const response = await client.send('OPTIONS', '/api/v1/upload');
      expect([response.status, response.text, response.headers.get('allow')]).toEqual([
        204,
        '',
        'OPTIONS, POST',
      ]);
      expectProblem(await client.send('OPTIONS', '/api/v1/nothing'), 404, 'not_found');
      const ofObject = await client.send('OPTIONS', '/objects/audio/x');
      expect([ofObject.status, ofObject.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, PUT']);
    });

    it('errors and responses to a key are not cacheable', async () => {
      const { job_id } = await client.create({ file_size: 10 });
      for (const response of [
        await client.send('GET', '/api/v1/jobs'),
        await client.send('GET', `/api/v1/jobs/${job_id}`),
        await client.post('/jobs/cancel', { job_id }),
        await client.send('GET', `/api/v1/jobs/${UNKNOWN}`),
        await client.send('GET', '/v1/models'),
        await new Client(service.baseUrl, null).send('GET', '/api/v1/jobs'),
      ]) {
        expect(response.headers.get('cache-control')).toBe('no-store');
        expect(response.headers.get('vary')).toBe('X-API-Key, Authorization');
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      }
      const document = await client.send('GET', '/api/v1/openapi.json');
      expect(document.headers.get('cache-control')).toBe('public, max-age=300');
      expect(document.headers.get('vary')).toBeNull();
    });

    it('errors keep a valid X-Request-Id and replace an invalid one', async () => {
      const sendWithRequestId = (id: string) =>
        client.send('GET', `/api/v1/jobs/${UNKNOWN}`, { headers: { 'X-Request-Id': id } });
      expect(expectProblem(await sendWithRequestId('my-request-0001'), 404).request_id).toBe(
        'my-request-0001',
      );
      for (const invalidId of ['short', 'has blanks in it', '<script>alert</script>', 'x'.repeat(500)])
        expect(expectProblem(await sendWithRequestId(invalidId), 404).request_id).not.toBe(invalidId);
    });

    it('successful responses carry a request id', async () => {
      const response = await client.post('/upload', { file_size: 10 });
      expectStatus(200, response);
      expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/);
    });
  });
}
