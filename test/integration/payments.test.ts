import {
  type ChargeResult,
  type ChargeRequest,
  CreditCheck,
  readCreditStatement,
  declinePayment,
  grantCredits,
  listPayments,
  ManualPayments,
  createAccount,
  type PaymentPort,
  Recharger,
  setRechargeSettings,
  settlePaymentAndGrantCredits,
} from '@app/billing';
import { inTransaction } from '@app/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { describePaymentPort } from '../../libs/billing/src/payments/payment-port.contract.js';
import { createJobWorld, type World } from '../support/job-world.js';

/** A payment provider that settles at once, like one for cards, and charges each payment id once. */
class AtOnce implements PaymentPort {
  readonly provider = 'manual';
  readonly prices = null;
  readonly asked: ChargeRequest[] = [];
  state: 'paid' | 'pending' | 'declined' = 'paid';
  /** Thrown after the charge. */
  failure: Error | undefined;
  private readonly next: (() => ChargeResult)[] = [];

  async charge(request: ChargeRequest): Promise<ChargeResult> {
    this.asked.push(request);
    if (this.failure) throw this.failure;
    const next = this.next.shift();
    if (next) return next();
    return { state: this.state, reference: `c_${request.paymentId}` };
  }

  /** Once. */
  answerNext(answer: () => ChargeResult): void {
    this.next.push(answer);
  }
}

function lost(): never {
  throw new Error('connection reset');
}

async function under(port: PaymentPort) {
  const world = await createJobWorld();
  return {
    port,
    dataSource: world.dataSource,
    openAccount: (credits: number) =>
      inTransaction(world.dataSource, (tx) => createAccount(tx, 'payer', credits)),
    close: () => world.close(),
  };
}

describePaymentPort('the operator', () => under(new ManualPayments()));
describePaymentPort('one that is paid at once', async () => {
  const atOnce = new AtOnce();
  return {
    ...(await under(atOnce)),
    declineNextCharge: () => atOnce.answerNext(() => ({ state: 'declined', reference: null })),
    loseNextResponse: () => atOnce.answerNext(lost),
  };
});

let world: World;
let port: AtOnce;
let accountId: string;
const warn = vi.fn();
const createCreditCheck = () =>
  new CreditCheck(world.dataSource, { creditsPerSecond: 1, payments: port, logger: { warn } });
const account = (credits: number) =>
  inTransaction(world.dataSource, (tx) => createAccount(tx, 'payer', credits));
const payments = () => listPayments(world.dataSource, { accountId, limit: 10 });
const balance = async () => (await readCreditStatement(world.dataSource, accountId, 1))?.balance;
const take = (credits: number) =>
  inTransaction(world.dataSource, (tx) => grantCredits(tx, accountId, -credits, 'spent'));
const refused = (detail: RegExp) => ({ code: 'insufficient_credits', detail: expect.stringMatching(detail) });

beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  port = new AtOnce();
  warn.mockClear();
  accountId = await account(0);
  await setRechargeSettings(world.dataSource, accountId, { below: 1, credits: 50 });
});

describe('auto-recharge', () => {
  it('a recharge happens each time the balance is used up, and not before', async () => {
    await createCreditCheck().assertCreditOrRecharge(accountId);
    await createCreditCheck().assertCreditOrRecharge(accountId);
    expect(port.asked).toHaveLength(1);
    await take(50);
    await createCreditCheck().assertCreditOrRecharge(accountId);
    expect(new Set(port.asked.map(({ paymentId }) => paymentId)).size).toBe(2);
    expect(await balance()).toBe(50);
    expect((await payments())[0]).toMatchObject({
      state: 'settled',
      reference: `c_${port.asked[1]?.paymentId}`,
    });
  });

  it('a recharge below its threshold does not delay the creation of a job', async () => {
    accountId = await account(9);
    await setRechargeSettings(world.dataSource, accountId, { below: 10, credits: 5 });
    let pay: (answer: ChargeResult) => void = () => undefined;
    port.charge = () => new Promise((resolve) => (pay = resolve));
    await createCreditCheck().assertCreditOrRecharge(accountId);
    await vi.waitFor(async () => expect(await payments()).toHaveLength(1), { timeout: 20_000 });
    await vi.waitFor(
      async () => {
        pay({ state: 'paid', reference: null });
        expect(await balance()).toBe(14);
      },
      { timeout: 20_000 },
    );
  });

  it('no charge is requested when credits arrived before the request', async () => {
    const recharger = new Recharger(world.dataSource, port);
    expect(await recharger.recharge(accountId)).toBe('paid');
    expect(await recharger.recharge(accountId)).toBe('paid');
    expect(port.asked).toHaveLength(1);
  });

  it('a job is rejected without a charge when auto-recharge is off', async () => {
    await setRechargeSettings(world.dataSource, accountId, null);
    await expect(createCreditCheck().assertCreditOrRecharge(accountId)).rejects.toMatchObject(
      refused(/enable auto-recharge/),
    );
    expect(port.asked).toEqual([]);
  });

  it('a declined payment stops recharging until it is configured again', async () => {
    port.state = 'declined';
    for (let create = 0; create < 3; create += 1)
      await expect(createCreditCheck().assertCreditOrRecharge(accountId)).rejects.toMatchObject(
        refused(/declined/),
      );
    expect(port.asked).toHaveLength(1);
    port.state = 'paid';
    await setRechargeSettings(world.dataSource, accountId, { below: 1, credits: 7 });
    await createCreditCheck().assertCreditOrRecharge(accountId);
    expect(await balance()).toBe(7);
  });

  it('a charge whose response was lost is repeated later with the same payment id, and credits are granted once', async () => {
    port.failure = new Error('connection reset');
    await expect(createCreditCheck().assertCreditOrRecharge(accountId)).rejects.toMatchObject(
      refused(/asked for/),
    );
    expect(warn).toHaveBeenCalledTimes(1);
    port.failure = undefined;
    await expect(createCreditCheck().assertCreditOrRecharge(accountId)).rejects.toMatchObject(
      refused(/asked for/),
    );
    expect(port.asked).toHaveLength(1);
    expect(await new Recharger(world.dataSource, port, 0).recharge(accountId)).toBe('paid');
    expect(port.asked[1]).toEqual(port.asked[0]);
    expect(await balance()).toBe(50);
  });
});

describe('a payment that the operator collects', () => {
  beforeEach(() => (port.state = 'pending'));
  const requested = async () => {
    await expect(createCreditCheck().assertCreditOrRecharge(accountId)).rejects.toMatchObject(
      refused(/asked for/),
    );
    return (await payments())[0]?.id ?? '';
  };

  it('a payment is settled or declined exactly once', async () => {
    const id = await requested();
    const outcomes = await Promise.all([
      settlePaymentAndGrantCredits(world.dataSource, id),
      declinePayment(world.dataSource, id),
      settlePaymentAndGrantCredits(world.dataSource, id),
    ]);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const settled = (await payments())[0]?.state === 'settled';
    expect(await balance()).toBe(settled ? 50 : 0);
    expect(await settlePaymentAndGrantCredits(world.dataSource, id)).toBeNull();
    expect(await declinePayment(world.dataSource, id)).toBe(false);
  });

  it('a payment stays open when recharging is turned off, and settling it grants its credits', async () => {
    const id = await requested();
    await setRechargeSettings(world.dataSource, accountId, null);
    expect(await settlePaymentAndGrantCredits(world.dataSource, id)).toBe(50);
    await createCreditCheck().assertCreditOrRecharge(accountId);
  });

  it('concurrent settlements and recharge requests do not deadlock', async () => {
    const id = await requested();
    const rechargers = Array.from({ length: 12 }, () => new Recharger(world.dataSource, port, 0));
    await Promise.all([
      ...rechargers.map((recharger) => recharger.recharge(accountId)),
      settlePaymentAndGrantCredits(world.dataSource, id),
      ...rechargers.map((recharger) => recharger.recharge(accountId)),
    ]);
    expect(await payments()).toHaveLength(1);
    expect(await balance()).toBe(50);
  });
});

describe('a negative grant', () => {
  it('the grant removes credits only if the balance covers all of them', async () => {
    accountId = await account(10);
    expect(await take(10)).toBe(0);
    expect(await take(1)).toBeNull();
    const statement = await readCreditStatement(world.dataSource, accountId, 10);
    expect(statement).toMatchObject({ balance: 0, held: 0, entries: [{ amount: -10 }, { amount: 10 }] });
  });
});
