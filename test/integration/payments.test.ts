import {
  type ChargeResult,
  type ChargeRequest,
  CreditCheckWithRecharge,
  readCreditsWithNewestEntries,
  declinePayment,
  grantOrDeductCredits,
  listPayments,
  OperatorSettledPaymentPort,
  createAccount,
  type PaymentPort,
  Recharger,
  setRechargeSettingsAndEndPause,
  settleManualPaymentAndGrantCredits,
} from '@app/billing';
import { inTransaction } from '@app/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { describePaymentPortContract } from '../../libs/billing/src/payments/payment-port.contract.js';
import { createDeferred } from '../support/deferred.js';
import { createJobWorld, type World } from '../support/job-world.js';

/** A payment provider that settles a charge at once, like card payments, and charges each payment id once. */
class ImmediatePayments implements PaymentPort {
  readonly provider = 'manual';
  readonly prices = null;
  readonly requests: ChargeRequest[] = [];
  state: 'paid' | 'pending' | 'declined' = 'paid';
  /** Thrown after every charge. */
  failure: Error | undefined;
  private readonly next: (() => ChargeResult)[] = [];

  async charge(request: ChargeRequest): Promise<ChargeResult> {
    this.requests.push(request);
    if (this.failure) throw this.failure;
    const next = this.next.shift();
    if (next) return next();
    return { state: this.state, reference: `c_${request.paymentId}` };
  }

  /** The result of the next charge only. */
  queueResult(answer: () => ChargeResult): void {
    this.next.push(answer);
  }
}

function loseConnection(): never {
  throw new Error('connection reset');
}

async function createContractFixture(port: PaymentPort) {
  const world = await createJobWorld();
  return {
    port,
    dataSource: world.dataSource,
    openAccount: (credits: number) =>
      inTransaction(world.dataSource, (tx) => createAccount(tx, 'payer', credits)),
    close: () => world.close(),
  };
}

describePaymentPortContract('the operator', () => createContractFixture(new OperatorSettledPaymentPort()));
describePaymentPortContract('a provider that settles at once', async () => {
  const atOnce = new ImmediatePayments();
  return {
    ...(await createContractFixture(atOnce)),
    declineNextCharge: () => atOnce.queueResult(() => ({ state: 'declined', reference: null })),
    loseNextResponse: () => atOnce.queueResult(loseConnection),
  };
});

let world: World;
let port: ImmediatePayments;
let accountId: string;
const warn = vi.fn();
const createCreditCheck = () =>
  new CreditCheckWithRecharge(world.dataSource, { creditsPerSecond: 1, payments: port, logger: { warn } });
const openAccount = (credits: number) =>
  inTransaction(world.dataSource, (tx) => createAccount(tx, 'payer', credits));
const listAccountPayments = () => listPayments(world.dataSource, { accountId, limit: 10 });
const readBalance = async () => (await readCreditsWithNewestEntries(world.dataSource, accountId, 1))?.balance;
const spend = (credits: number) =>
  inTransaction(world.dataSource, (tx) => grantOrDeductCredits(tx, accountId, -credits, 'spent'));
const insufficientCredits = (detail: RegExp) => ({
  code: 'insufficient_credits',
  detail: expect.stringMatching(detail),
});

beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  port = new ImmediatePayments();
  warn.mockClear();
  accountId = await openAccount(0);
  await setRechargeSettingsAndEndPause(world.dataSource, accountId, { below: 1, credits: 50 });
});

describe('auto-recharge', () => {
  it('a recharge happens each time the balance is used up, and not before', async () => {
    await createCreditCheck().assertCreditOrRecharge(accountId);
    await createCreditCheck().assertCreditOrRecharge(accountId);
    expect(port.requests).toHaveLength(1);
    await spend(50);
    await createCreditCheck().assertCreditOrRecharge(accountId);
    expect(new Set(port.requests.map(({ paymentId }) => paymentId)).size).toBe(2);
    expect(await readBalance()).toBe(50);
    expect((await listAccountPayments())[0]).toMatchObject({
      state: 'settled',
      reference: `c_${port.requests[1]?.paymentId}`,
    });
  });

  it('a recharge below its threshold does not delay the creation of a job', async () => {
    accountId = await openAccount(9);
    await setRechargeSettingsAndEndPause(world.dataSource, accountId, { below: 10, credits: 5 });
    const charge = createDeferred<ChargeResult>();
    port.charge = () => charge.promise;
    await createCreditCheck().assertCreditOrRecharge(accountId);
    await vi.waitFor(async () => expect(await listAccountPayments()).toHaveLength(1), { timeout: 20_000 });
    charge.resolve({ state: 'paid', reference: null });
    await vi.waitFor(async () => expect(await readBalance()).toBe(14), { timeout: 20_000 });
  });

  it('jobs below the threshold start one recharge while it waits, not one each', async () => {
    accountId = await openAccount(9);
    await setRechargeSettingsAndEndPause(world.dataSource, accountId, { below: 10, credits: 5 });
    port.state = 'pending';
    const started = vi.spyOn(Recharger.prototype, 'recharge');
    try {
      const check = createCreditCheck();
      for (let job = 0; job < 5; job += 1) await check.assertCreditOrRecharge(accountId);
      expect(started).toHaveBeenCalledTimes(1);
      await vi.waitFor(() => expect(port.requests).toHaveLength(1), { timeout: 20_000 });
    } finally {
      started.mockRestore();
    }
  });

  it('no charge is requested when credits arrived before the request', async () => {
    const recharger = new Recharger(world.dataSource, port);
    expect(await recharger.recharge(accountId)).toBe('paid');
    expect(await recharger.recharge(accountId)).toBe('paid');
    expect(port.requests).toHaveLength(1);
  });

  it('a job is rejected without a charge when auto-recharge is off', async () => {
    await setRechargeSettingsAndEndPause(world.dataSource, accountId, null);
    await expect(createCreditCheck().assertCreditOrRecharge(accountId)).rejects.toMatchObject(
      insufficientCredits(/enable auto-recharge/),
    );
    expect(port.requests).toEqual([]);
  });

  it('a declined payment stops recharging until it is configured again', async () => {
    port.state = 'declined';
    for (let create = 0; create < 3; create += 1)
      await expect(createCreditCheck().assertCreditOrRecharge(accountId)).rejects.toMatchObject(
        insufficientCredits(/declined/),
      );
    expect(port.requests).toHaveLength(1);
    port.state = 'paid';
    await setRechargeSettingsAndEndPause(world.dataSource, accountId, { below: 1, credits: 7 });
    await createCreditCheck().assertCreditOrRecharge(accountId);
    expect(await readBalance()).toBe(7);
  });

  it('a charge whose response was lost is repeated later with the same payment id, and credits are granted once', async () => {
    port.failure = new Error('connection reset');
    await expect(createCreditCheck().assertCreditOrRecharge(accountId)).rejects.toMatchObject(
      insufficientCredits(/asked for/),
    );
    expect(warn).toHaveBeenCalledTimes(1);
    port.failure = undefined;
    await expect(createCreditCheck().assertCreditOrRecharge(accountId)).rejects.toMatchObject(
      insufficientCredits(/asked for/),
    );
    expect(port.requests).toHaveLength(1);
    expect(await new Recharger(world.dataSource, port, 0).recharge(accountId)).toBe('paid');
    expect(port.requests[1]).toEqual(port.requests[0]);
    expect(await readBalance()).toBe(50);
  });
});

describe('a payment that the operator collects', () => {
  beforeEach(() => (port.state = 'pending'));
  const requestPayment = async () => {
    await expect(createCreditCheck().assertCreditOrRecharge(accountId)).rejects.toMatchObject(
      insufficientCredits(/asked for/),
    );
    return (await listAccountPayments())[0]?.id ?? '';
  };

  it('a payment is settled or declined exactly once', async () => {
    const id = await requestPayment();
    const outcomes = await Promise.all([
      settleManualPaymentAndGrantCredits(world.dataSource, id),
      declinePayment(world.dataSource, id),
      settleManualPaymentAndGrantCredits(world.dataSource, id),
    ]);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const settled = (await listAccountPayments())[0]?.state === 'settled';
    expect(await readBalance()).toBe(settled ? 50 : 0);
    expect(await settleManualPaymentAndGrantCredits(world.dataSource, id)).toBeNull();
    expect(await declinePayment(world.dataSource, id)).toBe(false);
  });

  it('a payment stays open when recharging is turned off, and settling it grants its credits', async () => {
    const id = await requestPayment();
    await setRechargeSettingsAndEndPause(world.dataSource, accountId, null);
    expect(await settleManualPaymentAndGrantCredits(world.dataSource, id)).toBe(50);
    await createCreditCheck().assertCreditOrRecharge(accountId);
  });

  it('concurrent settlements and recharge requests do not deadlock', async () => {
    const id = await requestPayment();
    const rechargers = Array.from({ length: 12 }, () => new Recharger(world.dataSource, port, 0));
    await Promise.all([
      ...rechargers.map((recharger) => recharger.recharge(accountId)),
      settleManualPaymentAndGrantCredits(world.dataSource, id),
      ...rechargers.map((recharger) => recharger.recharge(accountId)),
    ]);
    expect(await listAccountPayments()).toHaveLength(1);
    expect(await readBalance()).toBe(50);
  });
});

describe('a negative grant', () => {
  it('the grant removes credits only if the balance covers all of them', async () => {
    accountId = await openAccount(10);
    expect(await spend(10)).toBe(0);
    expect(await spend(1)).toBeNull();
    const statement = await readCreditsWithNewestEntries(world.dataSource, accountId, 10);
    expect(statement).toMatchObject({ balance: 0, held: 0, entries: [{ amount: -10 }, { amount: 10 }] });
  });
});
