import { Service } from '../../e2e/support/service.js';
import type { Client } from '../../e2e/support/client.js';
import { until } from '../../e2e/support/until.js';
import { FakeStripe } from '../../support/stripe/fake-stripe.js';
import type { FakeCard } from '../../support/stripe/objects.js';

export interface PrintedPayment {
  payment_id: string;
  kind: string;
  state: string;
  credits: number;
  amount: string | null;
  refunded: string | null;
  reference: string | null;
  receipt_url: string | null;
  action_url: string | null;
  failure: string | null;
}

export interface PrintedCredits {
  balance: number;
  held: number;
  owed: number;
  recharge: { below: number; credits: number; paused?: string } | null;
  entries: { kind: string; amount: number; payment_id: string | null }[];
}

export interface Customer {
  id: string;
  caller: Client;
}

/** The real programs with the fake of Stripe, which sends its webhooks to the API. A credit costs a dollar. */
export class PaymentService {
  private constructor(
    readonly service: Service,
    readonly stripe: FakeStripe,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<PaymentService> {
    const stripe = await FakeStripe.start();
    try {
      const service = await Service.start({
        STRIPE_SECRET_KEY: stripe.secretKey,
        STRIPE_WEBHOOK_SECRET: stripe.webhooks.secret,
        STRIPE_API_URL: stripe.url,
        STRIPE_TIMEOUT_SECONDS: '2',
        PAYMENT_RECONCILE_SECONDS: '1',
        CREDIT_PRICE: '1',
        CREDIT_PACKAGES: '50,100',
        ...settings,
      });
      stripe.webhooks.url = `${service.baseUrl}/webhooks/stripe`;
      return new PaymentService(service, stripe);
    } catch (error) {
      await stripe.stop();
      throw error;
    }
  }

  async openAccount(credits = 0): Promise<Customer> {
    const { account_id: id, api_key } = await this.service.openAccount(credits);
    return { id, caller: await this.service.client(api_key) };
  }

  /** @returns the id of the payment and of its checkout session */
  async openCheckout({ id }: Customer, credits = 50): Promise<{ paymentId: string; sessionId: string }> {
    const args = ['--account', id, '--credits', String(credits), '--json'];
    const { payment_id, url } = await this.service.adminJson<{ payment_id: string; url: string }>(
      ...['credits', 'top-up', ...args],
    );
    return { paymentId: payment_id, sessionId: sessionIdOf(url) };
  }

  async buy(customer: Customer, credits = 50, card?: FakeCard): Promise<string> {
    const { paymentId, sessionId } = await this.openCheckout(customer, credits);
    this.stripe.state.payCheckout(sessionId, card);
    return paymentId;
  }

  credits({ id }: Customer): Promise<PrintedCredits> {
    return this.service.adminJson('credits', 'show', '--account', id, '--json');
  }

  payments({ id }: Customer): Promise<PrintedPayment[]> {
    return this.service.adminJson('credits', 'payments', '--account', id, '--json');
  }

  recharge({ id }: Customer, ...options: string[]): Promise<unknown> {
    return this.service.adminJson('credits', 'recharge', '--account', id, ...options, '--json');
  }

  /** Balance by the API, which costs less than an operator command. */
  async balance({ caller }: Customer): Promise<number> {
    const { text } = await caller.send('GET', '/api/v1/account');
    return (JSON.parse(text) as { credits: { balance: number } }).credits.balance;
  }

  untilBalance(customer: Customer, balance: number): Promise<unknown> {
    return until(`the balance is ${balance}`, async () => (await this.balance(customer)) === balance);
  }

  untilDelivered(): Promise<unknown> {
    return until('every webhook is acknowledged', () => this.stripe.webhooks.isIdle);
  }

  /** Intents that took money from the account's cards. */
  paidIntents({ id }: Customer): string[] {
    return [...this.stripe.state.intents.values()]
      .filter(({ metadata, status }) => metadata['account_id'] === id && status === 'succeeded')
      .map((intent) => intent.id);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.stripe.stop();
  }
}

export function sessionIdOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}
