import { ServiceError } from '@app/errors';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  CardPayments,
  createAccount,
  CreditCheckWithRecharge,
  type CreditsWithNewestEntries,
  listPayments,
  type StoredPayment,
  readCreditsWithNewestEntries,
  type StripeOptions,
} from '@app/billing';
import { inTransaction } from '@app/database';
import { vi } from 'vitest';
import { createJobWorld, type World } from '../job-world.js';
import { FakeStripe } from './fake-stripe.js';
import { type FakeCard, WORKING_CARD } from './objects.js';

/** Dollars for one credit. */
const PRICE = '1';

/** A database, a fake Stripe, and a server that receives its webhooks like the API. */
export class CardPaymentsFixture {
  readonly warnings: string[] = [];
  readonly cards: CardPayments;

  private constructor(
    readonly jobs: World,
    readonly stripe: FakeStripe,
    private readonly stopServer: () => Promise<void>,
  ) {
    this.cards = this.newCards();
  }

  static async create(): Promise<CardPaymentsFixture> {
    const [jobs, stripe] = await Promise.all([createJobWorld(), FakeStripe.start()]);
    const server = createServer((request, response) => {
      void buffer(request)
        .then((body) => fixture.cards.handleWebhook(body, String(request.headers['stripe-signature'])))
        .then(
          (accepted) => response.writeHead(accepted ? 200 : 422).end(),
          () => response.writeHead(503).end(),
        );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const fixture = new CardPaymentsFixture(jobs, stripe, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    stripe.webhooks.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return fixture;
  }

  /** As before the tests: webhooks are delivered once, and nothing was warned of. */
  reset(): void {
    Object.assign(this.stripe.webhooks, { mode: 'deliver', copies: 1 });
    this.warnings.length = this.stripe.webhooks.attempts.length = 0;
  }

  get db() {
    return this.jobs.dataSource;
  }

  /** An instance like that of another process. */
  newCards(options: Partial<StripeOptions> = {}): CardPayments {
    return new CardPayments(
      this.db,
      {
        secretKey: this.stripe.secretKey,
        webhookSecret: this.stripe.webhooks.secret,
        apiUrl: this.stripe.url,
        checkoutHost: new URL(this.stripe.url).host,
        timeoutMs: 1_000,
        returnUrl: 'http://127.0.0.1:3000/console/billing',
        creditPrice: PRICE,
        currency: 'usd',
        packages: [50, 100],
        ...options,
      },
      { warn: (message) => void this.warnings.push(message) },
    );
  }

  /** `admitted`, or what the error of the check says. */
  async describeCreditCheck(accountId: string): Promise<string> {
    try {
      await this.creditCheck().assertCreditOrRecharge(accountId);
      return 'admitted';
    } catch (error) {
      return error instanceof ServiceError && error.detail !== undefined ? error.detail : String(error);
    }
  }

  creditCheck(cards = this.cards): CreditCheckWithRecharge {
    const logger = { warn: (message: string) => void this.warnings.push(message) };
    return new CreditCheckWithRecharge(this.db, { creditsPerSecond: 1, payments: cards.port, logger });
  }

  openAccount(credits = 0): Promise<string> {
    return inTransaction(this.db, (tx) => createAccount(tx, 'payer', credits));
  }

  /** An account with a customer and a saved card, but no payment. */
  async openAccountWithCard(credits = 0, card: FakeCard = WORKING_CARD) {
    const accountId = await this.openAccount(credits);
    const customer = this.stripe.state.createCustomer('payer', { account_id: accountId });
    const method = this.stripe.state.createPaymentMethod(customer.id, card);
    await this.jobs.rows(
      `INSERT INTO stripe_customer (account_id, customer_id, payment_method_id) VALUES ($1, $2, $3)`,
      accountId,
      customer.id,
      method.id,
    );
    return { accountId, customer: customer.id, method: method.id };
  }

  async payments(accountId: string): Promise<StoredPayment[]> {
    return listPayments(this.db, { accountId, limit: 100 });
  }

  async statement(accountId: string): Promise<CreditsWithNewestEntries> {
    const statement = await readCreditsWithNewestEntries(this.db, accountId, 100);
    if (!statement) throw new Error('no such account');
    return statement;
  }

  async balance(accountId: string): Promise<number> {
    return (await this.statement(accountId)).balance;
  }

  /** Buys credits on the checkout page. @returns the payment */
  async buy(accountId: string, credits = 50, card?: FakeCard): Promise<string> {
    const { paymentId, url } = await this.cards.createTopUp(accountId, credits);
    this.stripe.state.payCheckout(getSessionId(url), card);
    return paymentId;
  }

  /** Resolves when every webhook is acknowledged or given up. */
  async waitForWebhooks(): Promise<void> {
    await vi.waitFor(
      () => {
        if (!this.stripe.webhooks.isIdle) throw new Error('webhooks are pending');
      },
      { timeout: 20_000, interval: 5 },
    );
  }

  async close(): Promise<void> {
    await this.stripe.stop();
    await this.stopServer();
    await this.jobs.close();
  }
}

/** The session id in the URL of a checkout page. */
export function getSessionId(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}
