import { beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from '../support/audio.js';
import { Client, expectStatus } from '../support/client.js';
import { expectProblem } from '../support/problem.js';
import { until } from '../support/until.js';
import { waitForEnd } from './ends.js';
import { ROUTES } from './routes.js';
import { URL_SECONDS, type SpecContext } from './spec-context.js';

/** Less than the time between the expiry of two kinds of URLs. */
const EXPIRY_SEEN_WITHIN_MS = 10_000;

export function describeSection5(getContext: () => SpecContext): void {
  describe('§5 authentication', () => {
    let revoked: Client;
    beforeAll(async () => {
      const { service, account } = getContext();
      const added = await service.createKey(account.account_id);
      revoked = new Client(service.baseUrl, added.api_key);
      expectStatus(200, await revoked.send('GET', '/api/v1/jobs?limit=1'));
      await service.adminJson('keys', 'revoke', added.key_id, '--json');
      await until(
        'the key is refused',
        async () => (await revoked.send('GET', '/api/v1/jobs?limit=1')).status === 401,
      );
    });

    it.each(ROUTES.map((route) => [route.name, route] as const))(
      '%s without a key, or with an invalid or revoked key, answers 401',
      async (_, { call }) => {
        const { baseUrl } = getContext().service;
        const callers = [null, 'zk_none', `${getContext().account.api_key}x`].map(
          (key) => new Client(baseUrl, key),
        );
        for (const caller of [...callers, revoked]) expectProblem(await call(caller), 401, 'invalid_api_key');
      },
    );

    it('the key is read only from X-API-Key', async () => {
      const { service, account } = getContext();
      const unauthenticated = new Client(service.baseUrl, null);
      const key = account.api_key;
      const sendQuery = (query: string, headers: Record<string, string>) =>
        unauthenticated.send('GET', `/api/v1/jobs?limit=1${query}`, { headers });
      expectStatus(200, await sendQuery('', { 'x-api-key': key }));
      for (const response of [
        await sendQuery('', { Authorization: `Bearer ${key}` }),
        await sendQuery('', { Cookie: `X-API-Key=${key}` }),
        await sendQuery(`&api_key=${key}&X-API-Key=${key}`, {}),
      ])
        expectProblem(response, 401, 'invalid_api_key');
    });
  });

  describe('§5 presigned URLs', () => {
    it('carry their own authorization and need no key', async () => {
      const { client } = getContext();
      const created = await client.create({ file_size: 10 });
      const unauthenticated = new Client(client.baseUrl, null);
      expect((await unauthenticated.put(created.upload_url, silentWav(1), created.content_type)).status).toBe(
        200,
      );
      expect((await unauthenticated.download(created.upload_url)).status).toBe(403);
      const bare = new URL(created.upload_url);
      bare.search = '';
      expect((await unauthenticated.put(bare.href, silentWav(1), created.content_type)).status).toBe(403);
    });

    it('upload URLs expire after expires_in seconds, download URLs later, and a retrieval signs a new one', async () => {
      const { client, early } = getContext();
      const { single, multipart, finished } = early;
      const [begunAt, createdAt] = early.createdBetween;
      const { upload, multipart: parts, download } = URL_SECONDS;
      expect([single.expires_in, multipart.expires_in]).toEqual([upload, parts]);
      const partUrl = multipart.parts[0]?.url ?? '';
      const requests = [
        [upload, () => client.put(single.upload_url, silentWav(1), single.content_type)],
        [parts, () => client.put(partUrl, silentWav(1), 'audio/wav')],
        [download, () => client.download(finished.download_url)],
      ] as const;
      for (const [seconds, send] of requests) {
        const askedAt = performance.now();
        await expect
          .poll(async () => (await send()).status, { timeout: 2 * seconds * 1_000, interval: 500 })
          .toBe(403);
        const now = performance.now();
        // Signatures have whole seconds.
        expect(now - begunAt).toBeGreaterThan((seconds - 1) * 1_000);
        const expiredAt = Math.max(createdAt + seconds * 1_000, askedAt);
        expect(now).toBeLessThan(expiredAt + EXPIRY_SEEN_WITHIN_MS);
      }
      await waitForEnd(client, finished.job_id);
      const { download_url } = await client.job(finished.job_id);
      expect((await client.download(download_url ?? '')).status).toBe(200);
    }, 240_000);
  });
}
