import { randomUUID } from 'node:crypto';
import {
  readCreditBalance,
  CreditCheckWithRecharge,
  CreditJobHooks,
  grantOrDeductCredits,
  holdCredits,
  OperatorSettledPaymentPort,
  settleCreditHold,
} from '@app/billing';
import { CreditEntry, inTransaction } from '@app/database';
import { buildFailedOutcome, endJob } from '@app/jobs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
beforeAll(async () => void (world = await createJobWorld({ credits: 10 })));
afterAll(() => world.close());
beforeEach(() => world.clear());

const readBalance = () => readCreditBalance(world.dataSource.manager, world.accountId);
const sumLedger = async () =>
  (
    await world.row<{ sum: number }>(
      'SELECT sum(amount)::bigint AS sum FROM credit_entry WHERE account_id = $1',
      world.accountId,
    )
  )?.sum;

describe('credits', () => {
  it('concurrent holds succeed exactly as often as the balance covers', async () => {
    const jobs = await Promise.all(Array.from({ length: 40 }, () => world.newJob()));
    const results = await Promise.all(
      jobs.map((id) => inTransaction(world.dataSource, (tx) => holdCredits(tx, world.accountId, id, 1))),
    );
    expect(results.filter(Boolean)).toHaveLength(10);
    expect(await readBalance()).toBe(0);
    expect(await sumLedger()).toBe(0);
  });

  it('the processed amount is captured and the rest of the hold is released', async () => {
    const id = await world.newJob();
    await inTransaction(world.dataSource, (tx) => holdCredits(tx, world.accountId, id, 8));
    await inTransaction(world.dataSource, (tx) => settleCreditHold(tx, world.accountId, id, 3));
    expect(await readBalance()).toBe(7);
    expect(await sumLedger()).toBe(7);
  });

  it('a capture never exceeds the hold', async () => {
    const id = await world.newJob();
    await inTransaction(world.dataSource, (tx) => holdCredits(tx, world.accountId, id, 4));
    await inTransaction(world.dataSource, (tx) => settleCreditHold(tx, world.accountId, id, 400));
    expect(await readBalance()).toBe(6);
  });

  it('no statement can make the balance negative', async () => {
    await expect(
      world.rows('UPDATE account SET balance = balance - 11 WHERE id = $1', world.accountId),
    ).rejects.toThrow('account_balance_not_negative');
    expect(await readBalance()).toBe(10);
  });

  it('a failed job costs nothing', async () => {
    const id = await world.newJob();
    await inTransaction(world.dataSource, (tx) =>
      world.hooks.holdCredits(tx, { id, accountId: world.accountId, seconds: 4.2 }),
    );
    expect(await readBalance()).toBe(5);
    await inTransaction(world.dataSource, (tx) =>
      endJob(tx, world.hooks, id, buildFailedOutcome('chunk:0', 'x')),
    );
    expect(await readBalance()).toBe(10);
  });

  it('a second entry of the same kind for one job is rejected', async () => {
    const id = await world.newJob();
    const hold = { accountId: world.accountId, kind: 'hold', amount: -1, jobId: id } as const;
    const insertTwice = inTransaction(world.dataSource, async (tx) => {
      await tx.insert(CreditEntry, { ...hold });
      await tx.insert(CreditEntry, { ...hold });
    });
    await expect(insertTwice).rejects.toThrow(/unique/);
  });

  it('a job that already holds credits keeps its hold', async () => {
    const id = await world.newJob();
    const hold = (amount: number) =>
      inTransaction(world.dataSource, (tx) => holdCredits(tx, world.accountId, id, amount));
    expect(await hold(1)).toBe(true);
    expect(await hold(20)).toBe(true);
    expect(await readBalance()).toBe(9);
  });

  it('a job without a hold is charged at its end if the balance covers it, and costs nothing otherwise', async () => {
    const settle = async (charge: number) => {
      const id = await world.newJob();
      await inTransaction(world.dataSource, (tx) => settleCreditHold(tx, world.accountId, id, charge));
      return world.rows('SELECT kind, amount FROM credit_entry WHERE job_id = $1 ORDER BY id', id);
    };
    expect(await settle(4)).toEqual([
      { kind: 'hold', amount: -4 },
      { kind: 'release', amount: 4 },
      { kind: 'capture', amount: -4 },
    ]);
    expect(await settle(7)).toEqual([]);
    expect(await settle(0)).toEqual([]);
    expect(await readBalance()).toBe(6);
    expect(await sumLedger()).toBe(6);
  });

  it('a second grant for one payment is rejected', async () => {
    const grant = { accountId: world.accountId, kind: 'grant', amount: 1, paymentId: randomUUID() } as const;
    const insertTwice = inTransaction(world.dataSource, async (tx) => {
      await tx.insert(CreditEntry, { ...grant });
      await tx.insert(CreditEntry, { ...grant });
    });
    await expect(insertTwice).rejects.toThrow(/unique/);
  });

  it('a job of an account without credits is rejected', async () => {
    const options = { payments: new OperatorSettledPaymentPort(), logger: { warn: () => undefined } };
    const creditCheck = new CreditCheckWithRecharge(world.dataSource, { ...options, creditsPerSecond: 1 });
    await creditCheck.assertCreditOrRecharge(world.accountId);
    await inTransaction(world.dataSource, (tx) =>
      grantOrDeductCredits(tx, world.accountId, -10, 'taken back'),
    );
    await expect(creditCheck.assertCreditOrRecharge(world.accountId)).rejects.toMatchObject({
      code: 'insufficient_credits',
      status: 402,
    });
    await new CreditCheckWithRecharge(world.dataSource, {
      ...options,
      creditsPerSecond: 0,
    }).assertCreditOrRecharge(world.accountId);
  });

  it('a job that costs nothing writes no entry, and does not wait for the row of the account', async () => {
    const id = await world.newJob();
    const hooks = new CreditJobHooks(0);
    await inTransaction(world.dataSource, async (other) => {
      await other.query('SELECT FROM account WHERE id = $1 FOR UPDATE', [world.accountId]);
      await inTransaction(world.dataSource, async (tx) => {
        await tx.query(`SET LOCAL lock_timeout = '1s'`);
        expect(await hooks.holdCredits(tx, { id, accountId: world.accountId, seconds: 60 })).toBe(true);
        await hooks.onJobEnd(tx, { id, accountId: world.accountId, processedSeconds: 60 });
      });
    });
    expect(await world.rows('SELECT FROM credit_entry WHERE job_id = $1', id)).toEqual([]);
  });

  it('a hold from before the price became 0 is released', async () => {
    const id = await world.newJob();
    const job = { id, accountId: world.accountId };
    await inTransaction(world.dataSource, (tx) =>
      new CreditJobHooks(1).holdCredits(tx, { ...job, seconds: 5 }),
    );
    await inTransaction(world.dataSource, (tx) =>
      new CreditJobHooks(0).onJobEnd(tx, { ...job, processedSeconds: 5 }),
    );
    expect(await readBalance()).toBe(10);
  });
});
