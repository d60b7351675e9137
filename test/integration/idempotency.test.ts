import { ENCRYPTED_IDEMPOTENT_RESPONSES_TABLE, RowEncryptor, Encryptor } from '@app/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiOptions } from '../../apps/api/src/api-options.js';
import {
  IdempotencyService,
  type SaveResponseCallback,
} from '../../apps/api/src/idempotency/idempotency.service.js';
import { ResponseCipher } from '../../apps/api/src/idempotency/response-cipher.js';
import { claimIdempotencyKey } from '../../apps/api/src/idempotency/idempotency-key.repository.js';
import { purgeExpiredIdempotencyKeys } from '../../apps/processor/src/maintenance/expired-idempotency-key.repository.js';
import { createDeferred } from '../support/deferred.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { createIdempotentJob } from '../support/idempotent-job.js';

const ROUTE = '/api/v1/upload';
const BODY = { file_size: 1 };

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

const createCipher = () =>
  new ResponseCipher(
    new RowEncryptor(world.dataSource, new Encryptor(Buffer.alloc(32)), ENCRYPTED_IDEMPOTENT_RESPONSES_TABLE),
  );

const idempotency = (leaseSeconds = 15) =>
  new IdempotencyService(world.dataSource, createCipher(), {
    idempotency: { retentionSeconds: 3_600, leaseSeconds },
  } as ApiOptions);

let keys = 0;
const newKey = () => `key ${(keys += 1)}`;

function createRequest(key: string, { accountId = world.accountId, route = ROUTE } = {}) {
  const request = {
    accountId,
    route,
    key,
    replayed: false,
    markReplayed: () => void (request.replayed = true),
  };
  return request;
}

const makeJob = (saveResponse?: SaveResponseCallback, meanwhile?: () => Promise<void>) =>
  createIdempotentJob(world, saveResponse, meanwhile);

async function countJobs(): Promise<number> {
  return (await world.row<{ count: number }>('SELECT count(*)::int AS count FROM job'))?.count ?? 0;
}

async function countCreatedJobs(work: () => Promise<unknown>): Promise<number> {
  const before = await countJobs();
  await work();
  return (await countJobs()) - before;
}

const expireKey = (key: string) =>
  world.rows(
    `UPDATE idempotency_key SET expires_at = now() - interval '1 second' WHERE key = $1 RETURNING key`,
    key,
  );
const readKeyRow = (key: string) =>
  world.row<{ fingerprint: string | null; sealed: Buffer | null; left: number }>(
    `SELECT fingerprint, sealed, extract(epoch FROM expires_at - now())::float8 AS left
     FROM idempotency_key WHERE key = $1`,
    key,
  );
const IN_PROGRESS = { code: 'idempotency_key_in_use', status: 409, retryAfter: 2 };

describe('an idempotent request', () => {
  it('a repeated request replays the first response and creates no second job', async () => {
    const key = newKey();
    const again = createRequest(key);
    const createdJobs = await countCreatedJobs(async () => {
      const first = createRequest(key);
      const response = await idempotency().executeOnce(first, BODY, makeJob);
      expect(first.replayed).toBe(false);
      expect(await idempotency().executeOnce(again, { file_size: 1 }, makeJob)).toEqual(response);
    });
    expect(createdJobs).toBe(1);
    expect(again.replayed).toBe(true);
    expect((await readKeyRow(key))?.left).toBeGreaterThan(3_500);
  });

  it('twenty concurrent requests create one job; the others get 409 and then its response', async () => {
    const key = newKey();
    const held = createDeferred();
    const makeHeldJob = (saveResponse?: SaveResponseCallback) =>
      held.promise.then(() => makeJob(saveResponse));
    const send = () => idempotency().executeOnce(createRequest(key), BODY, makeHeldJob);
    const createdJobs = await countCreatedJobs(async () => {
      const errors: unknown[] = [];
      const sent = Array.from({ length: 20 }, send);
      for (const request of sent) request.catch((error: unknown) => errors.push(error));
      await expect.poll(() => errors.length).toBe(19);
      for (const refusal of errors) expect(refusal).toMatchObject(IN_PROGRESS);
      held.resolve();
      const { id } = await Promise.any(sent);
      expect((await send()).id).toBe(id);
    });
    expect(createdJobs).toBe(1);
  });

  it('a repeated request with another body is rejected and changes nothing', async () => {
    const key = newKey();
    const first = await idempotency().executeOnce(createRequest(key), BODY, makeJob);
    const createdJobs = await countCreatedJobs(() =>
      expect(idempotency().executeOnce(createRequest(key), { file_size: 2 }, makeJob)).rejects.toMatchObject({
        code: 'idempotency_key_reused',
        errors: [{ field: 'Idempotency-Key' }],
      }),
    );
    expect(createdJobs).toBe(0);
    expect(await idempotency().executeOnce(createRequest(key), BODY, makeJob)).toEqual(first);
  });

  it('equal keys of other accounts and other routes are independent', async () => {
    const key = newKey();
    const senders = [{}, { accountId: crypto.randomUUID() }, { route: '/other' }];
    const sendAll = async () => {
      const responses: unknown[] = [];
      for (const sender of senders)
        responses.push(await idempotency().executeOnce(createRequest(key, sender), BODY, makeJob));
      return responses;
    };
    const createdJobs = await countCreatedJobs(async () => expect(await sendAll()).toEqual(await sendAll()));
    expect(createdJobs).toBe(3);
  });

  it('an expired key starts a new request', async () => {
    const key = newKey();
    const first = await idempotency().executeOnce(createRequest(key), BODY, makeJob);
    await expireKey(key);
    const second = await idempotency().executeOnce(createRequest(key), { file_size: 2 }, makeJob);
    expect(second).not.toEqual(first);
  });

  it('a failed request frees its key', async () => {
    const key = newKey();
    const failCreation = () => Promise.reject(new Error('no credit'));
    await expect(idempotency().executeOnce(createRequest(key), BODY, failCreation)).rejects.toThrow(
      'no credit',
    );
    expect(await readKeyRow(key)).toBeUndefined();
    expect(
      await countCreatedJobs(() => idempotency().executeOnce(createRequest(key), { file_size: 2 }, makeJob)),
    ).toBe(1);
  });

  it('a request without a key stores nothing', async () => {
    const rows = () => world.rows('SELECT key FROM idempotency_key');
    const before = await rows();
    expect(await countCreatedJobs(() => idempotency().executeOnce(null, BODY, makeJob))).toBe(1);
    expect(await rows()).toEqual(before);
  });
});

describe('the transaction of job and response', () => {
  it('a failure after both writes leaves neither a job nor a response', async () => {
    const key = newKey();
    const fail = () => Promise.reject(new Error('the process ended here'));
    const createdJobs = await countCreatedJobs(() =>
      expect(
        idempotency().executeOnce(createRequest(key), BODY, (saveResponse) => makeJob(saveResponse, fail)),
      ).rejects.toThrow('ended here'),
    );
    expect(createdJobs).toBe(0);
    expect(await readKeyRow(key)).toBeUndefined();
  });

  it('a response that was lost after the commit is replayed to the repeated request', async () => {
    const key = newKey();
    let lostResponse: unknown;
    const createdJobs = await countCreatedJobs(async () => {
      const interrupted = idempotency().executeOnce(createRequest(key), BODY, async (saveResponse) => {
        lostResponse = await makeJob(saveResponse);
        throw new Error('Connection terminated');
      });
      await expect(interrupted).rejects.toThrow('terminated');
      expect(await idempotency().executeOnce(createRequest(key), BODY, makeJob)).toEqual(lostResponse);
    });
    expect(createdJobs).toBe(1);
  });
});

describe('the lease of an idempotency key', () => {
  it('a dead holder is replaced when its lease expires and not before', async () => {
    const key = newKey();
    const dead = { accountId: world.accountId, route: ROUTE, key, claimId: crypto.randomUUID() };
    expect(await claimIdempotencyKey(world.dataSource.manager, dead, 3_600)).toBe(true);
    await expect(idempotency().executeOnce(createRequest(key), BODY, makeJob)).rejects.toMatchObject(
      IN_PROGRESS,
    );
    await expireKey(key);
    expect(await countCreatedJobs(() => idempotency().executeOnce(createRequest(key), BODY, makeJob))).toBe(
      1,
    );
  });

  it('a holder that works longer than its lease renews it', async () => {
    const key = newKey();
    const work = createDeferred();
    const long = idempotency(1).executeOnce(createRequest(key), BODY, async (saveResponse) => {
      await work.promise;
      return makeJob(saveResponse);
    });
    // Reads the row, because a claim would succeed if a busy machine renewed late.
    const leaseEnd = async () =>
      (
        await world.row<{ until: Date }>(
          'SELECT expires_at AS until FROM idempotency_key WHERE key = $1',
          key,
        )
      )?.until.getTime() ?? 0;
    await expect.poll(leaseEnd).toBeGreaterThan(0);
    const firstEnd = await leaseEnd();
    await expect.poll(leaseEnd, { timeout: 10_000 }).toBeGreaterThan(firstEnd + 1_000);
    work.resolve();
    const response = await long;
    expect(await idempotency().executeOnce(createRequest(key), BODY, makeJob)).toEqual(response);
  });

  it('a holder whose key was taken over creates no job, whether the new holder is done or not', async () => {
    for (const done of [false, true]) {
      const key = newKey();
      const frozen = createDeferred();
      const takenOver = createDeferred();
      const createdJobs = await countCreatedJobs(async () => {
        const outdated = idempotency().executeOnce(createRequest(key), BODY, async (saveResponse) => {
          await frozen.promise;
          return makeJob(saveResponse);
        });
        await expect.poll(() => expireKey(key)).toHaveLength(1);
        const second = idempotency().executeOnce(createRequest(key), BODY, async (saveResponse) => {
          if (!done) await takenOver.promise;
          return makeJob(saveResponse);
        });
        if (done) await second;
        else await expect.poll(async () => ((await readKeyRow(key))?.left ?? 0) > 0).toBe(true);
        frozen.resolve();
        await expect(outdated).rejects.toMatchObject(IN_PROGRESS);
        takenOver.resolve();
        const response = await second;
        expect(await idempotency().executeOnce(createRequest(key), BODY, makeJob)).toEqual(response);
      });
      expect(createdJobs).toBe(1);
    }
  });

  it('a holder whose expired row was purged creates no job', async () => {
    const key = newKey();
    const frozen = createDeferred();
    const createdJobs = await countCreatedJobs(async () => {
      const outdated = idempotency().executeOnce(createRequest(key), BODY, async (saveResponse) => {
        await frozen.promise;
        return makeJob(saveResponse);
      });
      await expect.poll(() => expireKey(key)).toHaveLength(1);
      await purgeExpiredIdempotencyKeys(world.dataSource);
      const second = await idempotency().executeOnce(createRequest(key), BODY, makeJob);
      frozen.resolve();
      await expect(outdated).rejects.toMatchObject(IN_PROGRESS);
      expect(await idempotency().executeOnce(createRequest(key), BODY, makeJob)).toEqual(second);
    });
    expect(createdJobs).toBe(1);
  });
});
