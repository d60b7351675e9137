import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CreditCheckWithRecharge } from '../credit-check.js';
import { readCreditsWithNewestEntries } from '../ledger.repository.js';
import { setRechargeSettingsAndEndPause } from './auto-recharge.repository.js';
import type { PaymentPort } from './payment-port.js';
import { listPayments, settleManualPaymentAndGrantCredits } from './payment.repository.js';
import { Recharger } from './recharger.js';

export interface PaymentsUnderTest {
  port: PaymentPort;
  dataSource: DataSource;
  /** Creates an account with this balance. */
  openAccount(credits: number): Promise<string>;
  /** The next charge of the account is declined; absent for a provider that never declines. */
  declineNextCharge?(accountId: string): void;
  /** The next charge succeeds, but its response does not arrive; absent for a provider that is not asked. */
  loseNextResponse?(): void;
  close(): Promise<void>;
}

const CREDITS = 50;
const logger = { warn: () => undefined };

/** Tests a payment provider alone and through `CreditCheckWithRecharge`. */
export function describePaymentPortContract(name: string, start: () => Promise<PaymentsUnderTest>): void {
  describe(`the payment port ${name}`, () => {
    let fixture: PaymentsUnderTest;
    beforeAll(async () => void (fixture = await start()));
    afterAll(() => fixture?.close());

    const gate = () =>
      new CreditCheckWithRecharge(fixture.dataSource, {
        creditsPerSecond: 1,
        payments: fixture.port,
        logger,
      });
    const empty = async () => {
      const accountId = await fixture.openAccount(0);
      await setRechargeSettingsAndEndPause(fixture.dataSource, accountId, { below: 1, credits: CREDITS });
      return accountId;
    };
    const statement = async (accountId: string) => {
      const creditStatement = await readCreditsWithNewestEntries(fixture.dataSource, accountId, 100);
      if (!creditStatement) throw new Error('no such account');
      return creditStatement;
    };

    it('a repeated charge returns the first result and moves no credits', async () => {
      const accountId = await fixture.openAccount(0);
      const request = {
        paymentId: randomUUID(),
        accountId,
        credits: CREDITS,
        amount: null,
        currency: null,
        createdAt: new Date(),
        isRechargeAllowed: true,
      };
      const signal = new AbortController().signal;
      const first = await fixture.port.charge(request, signal);
      expect(first.state).not.toBe('declined');
      expect(await fixture.port.charge(request, signal)).toEqual(first);
      expect(await statement(accountId)).toMatchObject({ balance: 0, entries: [] });
    });

    it('a job is admitted after one charge attempt exactly when the charge settled', async () => {
      const accountId = await empty();
      const outcome = await gate()
        .assertCreditOrRecharge(accountId)
        .then(() => 'admitted', String);
      const [payment, ...more] = await listPayments(fixture.dataSource, { accountId, limit: 10 });
      expect(more).toEqual([]);
      expect(payment).toMatchObject({
        credits: CREDITS,
        state: outcome === 'admitted' ? 'settled' : 'requested',
      });
      expect((await statement(accountId)).balance).toBe(outcome === 'admitted' ? CREDITS : 0);
    });

    it('concurrent creates in two processes cause one payment, which grants credits once', async () => {
      const accountId = await empty();
      const [one, other] = [gate(), gate()];
      await Promise.allSettled(
        Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? one : other).assertCreditOrRecharge(accountId)),
      );
      const payments = await listPayments(fixture.dataSource, { accountId, limit: 10 });
      expect(payments).toHaveLength(1);
      const id = payments[0]?.id ?? '';
      await Promise.all(
        Array.from({ length: 8 }, () => settleManualPaymentAndGrantCredits(fixture.dataSource, id)),
      );
      const { balance, entries } = await statement(accountId);
      expect(balance).toBe(CREDITS);
      expect(entries).toMatchObject([{ kind: 'grant', amount: CREDITS, paymentId: id }]);
      await gate().assertCreditOrRecharge(accountId);
    });

    it('a declined charge grants nothing and is not repeated by the next creates', async (test) => {
      const accountId = await empty();
      if (!fixture.declineNextCharge) return test.skip('The fixture cannot decline a charge.');
      fixture.declineNextCharge(accountId);
      for (let create = 0; create < 3; create += 1)
        await expect(gate().assertCreditOrRecharge(accountId)).rejects.toMatchObject({
          code: 'insufficient_credits',
          detail: expect.stringMatching(/declined/),
        });
      expect(await listPayments(fixture.dataSource, { accountId, limit: 10 })).toMatchObject([
        { state: 'declined', endedAt: expect.any(Date) },
      ]);
      expect(await statement(accountId)).toMatchObject({ balance: 0, entries: [] });
    });

    it('a charge whose response is lost stays open, and is granted once when it is requested again', async (test) => {
      const accountId = await empty();
      if (!fixture.loseNextResponse) return test.skip('The fixture cannot lose a response.');
      fixture.loseNextResponse();
      await expect(gate().assertCreditOrRecharge(accountId)).rejects.toMatchObject({
        detail: expect.stringMatching(/asked for/),
      });
      expect(await listPayments(fixture.dataSource, { accountId, limit: 10 })).toMatchObject([
        { state: 'requested' },
      ]);
      const rechargers = Array.from({ length: 4 }, () => new Recharger(fixture.dataSource, fixture.port, 0));
      await Promise.all(rechargers.map((recharger) => recharger.recharge(accountId)));
      expect(await listPayments(fixture.dataSource, { accountId, limit: 10 })).toMatchObject([
        { state: 'settled' },
      ]);
      expect((await statement(accountId)).entries).toMatchObject([{ kind: 'grant', amount: CREDITS }]);
    });
  });
}
