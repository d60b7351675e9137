import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CLAIM_NEXT_DUE_DELIVERY_SQL,
  claimNextDueDelivery,
  recordAttemptAndUpdateDelivery,
} from '../../libs/webhooks/src/deliveries/webhook-delivery.repository.js';
import { claimWhileAdding } from '../support/claim-while-adding.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { countReadPages } from '../support/query-plan.js';

const ATTEMPT = { statusCode: 500, error: null, durationMs: 1 } as never;
const EXCHANGE = { keyId: 'k', sealed: Buffer.from('s') };

let world: World;
let other: string;
beforeEach(async () => {
  world = await createJobWorld();
  other = await world.newAccount();
});
afterEach(() => world.close());

/** Of the event `test`, which needs no job. */
const addDeliveries = (accountId: string, count: number, dueSecondsAgo = 0) =>
  world.rows(
    `INSERT INTO webhook_delivery (id, account_id, url, event, next_attempt_at)
     SELECT gen_random_uuid(), $1, 'http://127.0.0.1:9/', 'test', now() - make_interval(secs => $3 + number) FROM generate_series(1, $2) AS number`,
    accountId,
    count,
    dueSecondsAgo,
  );
const claim = (excluded: string[] = []) => claimNextDueDelivery(world.dataSource, 30, excluded);

describe('the turns of webhook deliveries', () => {
  it('accounts are served in turn, however old the backlog of one of them is', async () => {
    await addDeliveries(world.accountId, 10, 3600);
    await addDeliveries(other, 2);
    const claimed = [await claim(), await claim(), await claim(), await claim()];
    expect(claimed.filter((delivery) => delivery?.accountId === other)).toHaveLength(2);
    expect((await claim())?.accountId).toBe(world.accountId);
  });

  it('a claim reads as much with 3,000 older deliveries of an account at its limit as with one', async () => {
    await addDeliveries(other, 10);
    await addDeliveries(world.accountId, 1, 3600);
    const before = await countPagesOfClaim();
    await addDeliveries(world.accountId, 3_000, 3600);
    await world.rows('ANALYZE webhook_delivery');
    expect(await countPagesOfClaim()).toBeLessThan(before + 40);
  });

  it('a delivery is claimed again after its delay, and after a lease that ended without a result', async () => {
    await addDeliveries(other, 1);
    const first = (await claim()) ?? expect.unreachable('nothing is due');
    expect(await claim()).toBeUndefined();
    const retry = { state: 'pending', delaySeconds: 3600 } as const;
    expect(await recordAttemptAndUpdateDelivery(world.dataSource, first, ATTEMPT, retry, EXCHANGE)).toBe(
      true,
    );
    expect(await claim()).toBeUndefined();
    expect(await world.rows('SELECT FROM turn WHERE waiting')).toEqual([]);
    await world.rows(`UPDATE webhook_delivery SET next_attempt_at = now()`);
    expect((await claim())?.id).toBe(first.id);
    expect(await claim()).toBeUndefined();
    await world.rows(`UPDATE webhook_delivery SET lease_until = now() - interval '1 second'`);
    await world.rows(`UPDATE turn SET wake_at = now() WHERE wake_at IS NOT NULL`);
    expect((await claim())?.fence).toBe(3);
  });

  it('no delivery is left behind when deliveries are added and claimed at the same time', async () => {
    const add = async (of: string) => {
      for (let at = 0; at < 25; at += 1) await addDeliveries(of, 1);
    };
    const deliveries = await claimWhileAdding(
      () => Promise.all([world.accountId, other, other].map(add)),
      claim,
    );
    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(75);
  });

  function countPagesOfClaim(): Promise<number> {
    const statement = CLAIM_NEXT_DUE_DELIVERY_SQL.replaceAll('$1', '30').replaceAll(
      '$2',
      `ARRAY['${world.accountId}']`,
    );
    return countReadPages(world.dataSource, statement);
  }
});
