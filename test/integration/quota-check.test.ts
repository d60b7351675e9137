import { createJobAndEnqueueIfUrl } from '@app/jobs';
import { inTransaction } from '@app/database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { QuotaCheck } from '../../apps/api/src/quotas/quota-check.js';
import { createDeferred } from '../support/deferred.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { buildUploadJob } from '../support/new-job.js';

const LIMIT = 3;
const OPTIONS = {
  quotas: { pendingUploads: LIMIT, pendingBytes: 1e9, storedBytes: 1e9, vocabularyBytes: 1e9 },
  uploadBytes: 1e9,
  multipartBytes: 1e9,
};
const REFUSED = { code: 'quota_exceeded' };

let world: World;
let accountId: string;
let quotas: QuotaCheck;
let now: number;

beforeAll(async () => {
  world = await createJobWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.newAccount();
  quotas = new QuotaCheck(world.dataSource, OPTIONS);
  now = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => void vi.restoreAllMocks());

const createJob = () =>
  inTransaction(world.dataSource, (tx) =>
    createJobAndEnqueueIfUrl(tx, { ...buildUploadJob({ accountId }), uploadSeconds: 60 }),
  );
const admit = (create: () => Promise<unknown> = createJob) =>
  quotas.admit(accountId, { pendingUploads: 1 }, create);

describe('a request that is more than a quota by itself is rejected for good', () => {
  const { pendingBytes, storedBytes, vocabularyBytes } = OPTIONS.quotas;
  const noJob = () => Promise.reject(new Error('no job'));

  it.each([
    ['pending bytes', { pendingUploads: 1, pendingBytes: pendingBytes + 1 }, {}, 'file_too_large'],
    ['stored bytes', { pendingUploads: 1, pendingBytes: 6e8 }, { storedBytes: 5e8 }, 'file_too_large'],
    ['vocabulary', { vocabularyBytes: vocabularyBytes + 1 }, {}, 'validation_failed'],
  ])('by its %s', async (_, addition, changed, code) => {
    await world.rows('UPDATE account SET quotas = $2 WHERE id = $1', accountId, JSON.stringify(changed));
    const rejection = await quotas.admit(accountId, addition, noJob).catch((error: unknown) => error);
    expect(rejection).toMatchObject({ code, retryAfter: undefined });
    expect((rejection as Error).message).toContain('bytes');
  });

  it('unless it would fit without the other jobs of the account', async () => {
    await world.newJob({ of: accountId });
    const admitted = quotas.admit(accountId, { pendingUploads: 1, pendingBytes: storedBytes }, noJob);
    await expect(admitted).rejects.toMatchObject({ ...REFUSED, retryAfter: 10 });
  });

  it('unless the quota allows nothing', async () => {
    await world.rows(`UPDATE account SET quotas = '{"storedBytes": 0}' WHERE id = $1`, accountId);
    for (const addition of [{ vocabularyBytes: 1 }, { pendingUploads: 1, pendingBytes: 1 }])
      await expect(quotas.admit(accountId, addition, noJob)).rejects.toMatchObject(REFUSED);
  });
});

describe('a quota of three', () => {
  it('admits three jobs of ten that are requested at once, by one reading', async () => {
    const query = vi.spyOn(world.dataSource, 'query');
    const creation = createDeferred();
    let refused = 0;
    const attempts = Array.from({ length: 10 }, async () => {
      try {
        await admit(() => creation.promise);
      } catch (error) {
        expect(error).toMatchObject(REFUSED);
        refused += 1;
      }
    });
    await expect.poll(() => refused).toBe(7);
    creation.resolve();
    await Promise.all(attempts);
    expect(query).toHaveBeenCalledTimes(1);
  });

  it('counts jobs that are being created also after another reading', async () => {
    const creations = Array.from({ length: LIMIT }, () => createDeferred());
    const admitted = creations.map(({ promise }) => admit(() => promise));
    now += 10_000;
    await expect(admit()).rejects.toMatchObject(REFUSED);
    for (const { resolve } of creations) resolve();
    await Promise.all(admitted);
  });

  it('counts a created job once, and one that was not created no more, after the next reading', async () => {
    for (let count = 0; count < LIMIT - 1; count += 1) await admit();
    await expect(admit(() => Promise.reject(new Error('no store')))).rejects.toThrow('no store');
    now += 10_000;
    await admit();
    await expect(admit()).rejects.toMatchObject(REFUSED);
  });
});
