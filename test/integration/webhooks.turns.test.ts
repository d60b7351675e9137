import { inTransaction } from '@app/database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CLAIM_DELIVERY_SQL,
  claimDelivery,
  recordDeliveryAttempt,
} from '../../libs/webhooks/src/deliveries/webhook-delivery.repository.js';
import { createJobWorld, type World } from '../support/job-world.js';

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
const claim = (excluded: string[] = []) => claimDelivery(world.dataSource, 30, excluded);

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
    expect(await recordDeliveryAttempt(world.dataSource, first, ATTEMPT, retry, EXCHANGE)).toBe(true);
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
    const claimed = new Set<string>();
    let isAdding = true;
    const claimUntilEmpty = async () => {
      for (;;) {
        const wasAdding = isAdding;
        const delivery = await claim();
        if (delivery) claimed.add(delivery.id);
        else if (!wasAdding) return;
      }
    };
    const add = async (of: string) => {
      for (let at = 0; at < 25; at += 1) await addDeliveries(of, 1);
    };
    const adding = Promise.all([add(world.accountId), add(other), add(other)]).then(() => (isAdding = false));
    await Promise.all([adding, claimUntilEmpty(), claimUntilEmpty(), claimUntilEmpty()]);
    for (let delivery = await claim(); delivery; delivery = await claim()) claimed.add(delivery.id);
    expect(claimed.size).toBe(75);
  });

  /** Pages that one claim reads, the second one in its connection, because the first reads the catalogue. */
  async function countPagesOfClaim(): Promise<number> {
    const statement = CLAIM_DELIVERY_SQL.replaceAll('$1', '30').replaceAll(
      '$2',
      `ARRAY['${world.accountId}']`,
    );
    const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`;
    return inTransaction(world.dataSource, async (tx) => {
      await tx.query(explain);
      const [row] = (await tx.query(explain)) as { 'QUERY PLAN': { Plan: Record<string, number> }[] }[];
      const plan = row?.['QUERY PLAN'][0]?.Plan ?? {};
      return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    });
  }
});
