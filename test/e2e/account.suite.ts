import { beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from './support/audio.js';
import { Client, expectStatus } from './support/client.js';
import { expectProblem } from './support/problem.js';
import type { Account } from './support/running-service.js';
import type { Service } from './support/service.js';

interface AccountResponse {
  account_id: string;
  name: string;
  api_key: { id: string; name: string };
  credits: { balance: number; held: number; per_second: number };
  max_bytes: Record<string, number>;
  rate_limits: Record<string, number | null>;
  today: Record<string, number | string>;
}

const NOTHING = { jobs_created: 0, jobs_completed: 0, jobs_failed: 0, audio_seconds: 0, credits_charged: 0 };

export function describeAccount(getService: () => Service): void {
  let service: Service;
  let [ownAccount, otherAccount]: [Account, Account] = [undefined as never, undefined as never];
  let client: Client;

  beforeAll(async () => {
    service = getService();
    [ownAccount, otherAccount] = [await service.openAccount(1_000), await service.openAccount(77)];
    client = await service.client(ownAccount.api_key);
  });

  const parseKeyId = (apiKey: string) => apiKey.split('_')[1] ?? '';
  const getAccount = async (caller = client) =>
    expectStatus<AccountResponse>(200, await caller.send('GET', '/api/v1/account'));

  describe('GET /account', () => {
    it('returns balance, limits and empty usage of a new account', async () => {
      const otherAccountResponse = await getAccount(await service.client(otherAccount.api_key));
      expect(otherAccountResponse).toMatchObject({
        account_id: otherAccount.account_id,
        api_key: { id: parseKeyId(otherAccount.api_key) },
        credits: { balance: 77, held: 0, per_second: 1 },
        max_bytes: { upload: 5 * 2 ** 30, multipart: 10 * 2 ** 30, transcribe: 200_000_000 },
        today: NOTHING,
      });
      expect(Date.parse(String(otherAccountResponse.today['since'])) % 86_400_000).toBe(0);
    });

    it('counts the created, ended and charged jobs of the key and none of another account', async () => {
      const { job_id } = await client.submit(silentWav(3));
      await client.events(job_id);
      const cancelled = await client.create({ file_size: 1 });
      expectStatus(200, await client.post('/jobs/cancel', { job_id: cancelled.job_id }));
      await client.create({ file_size: 1 });
      const { credits, today } = await getAccount();
      expect(credits).toEqual({ balance: 997, held: 0, per_second: 1 });
      expect(today).toMatchObject({
        jobs_created: 3,
        jobs_completed: 1,
        jobs_failed: 1,
        audio_seconds: 3,
        credits_charged: 3,
      });
      expect((await getAccount(await service.client(otherAccount.api_key))).today).toMatchObject(NOTHING);
    });

    it('returns usage per key and the shared balance of the account', async () => {
      const createdKey = await service.createKey(ownAccount.account_id, 'second');
      const second = await getAccount(await service.client(createdKey.api_key));
      expect(second.api_key).toEqual({ id: parseKeyId(createdKey.api_key), name: 'second' });
      expect(second.credits.balance).toBe(997);
      expect(second.today).toMatchObject(NOTHING);
    });

    it('returns the rate limits of the key in requests per minute', async () => {
      const before = await getAccount();
      const accountResponse = await client.send('GET', '/api/v1/account');
      expect(accountResponse.headers.get('ratelimit-limit')).toBe(String(before.rate_limits['account']));
      const { code } = await service.admin(
        'keys',
        'limit',
        parseKeyId(ownAccount.api_key),
        '--route',
        'jobs.cancel',
        '--per-minute',
        '7',
      );
      expect(code).toBe(0);
      const { rate_limits } = await getAccount();
      // The service under test multiplies all limits by 100.
      expect(rate_limits).toEqual({ ...before.rate_limits, 'jobs.cancel': 700 });
      expect(rate_limits['jobs.get']).toBe(12_000);
    });

    it('answers 401 without a key', async () => {
      const unauthenticated = new Client(service.baseUrl, null);
      expectProblem(await unauthenticated.send('GET', '/api/v1/account'), 401, 'invalid_api_key');
    });
  });
}
