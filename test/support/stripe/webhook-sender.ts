import { createHmac } from 'node:crypto';
import type { StripeEventObject } from './objects.js';

export interface WebhookAttempt {
  event: string;
  type: string;
  /** Null without a response. */
  status: number | null;
}

/** `hold` stores events until `release`; `drop` discards them. */
export type DeliveryMode = 'deliver' | 'hold' | 'drop';

/** The real Stripe waits for minutes and hours. */
const RETRY_DELAYS_MS = [50, 100, 200, 400, 800, 1600, 3200, 6400];

/** Sends signed events to one endpoint until they are acknowledged. */
export class WebhookSender {
  url: string | null = null;
  mode: DeliveryMode = 'deliver';
  /** How often each event is sent, although it is acknowledged. */
  copies = 1;
  enabledTypes: readonly string[] | null = null;
  readonly attempts: WebhookAttempt[] = [];
  private readonly held: StripeEventObject[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly aborted = new AbortController();
  private inFlight = 0;

  constructor(readonly secret: string) {}

  /** Whether every sent event is acknowledged or given up. */
  get isIdle(): boolean {
    return this.inFlight === 0 && this.timers.size === 0;
  }

  get heldTypes(): string[] {
    return this.held.map(({ type }) => type);
  }

  send(event: StripeEventObject): void {
    if (this.url === null || this.mode === 'drop') return;
    if (this.enabledTypes && !this.enabledTypes.includes(event.type)) return;
    if (this.mode === 'hold') this.held.push(event);
    else for (let copy = 0; copy < this.copies; copy += 1) void this.attempt(event, 0);
  }

  /** Sends the held events concurrently, in this order. */
  release(order: (events: StripeEventObject[]) => StripeEventObject[] = (events) => events): void {
    this.mode = 'deliver';
    for (const event of order(this.held.splice(0))) this.send(event);
  }

  /** Sends the held events one after the other, each after the response to the previous one. */
  async releaseInOrder(order: (events: StripeEventObject[]) => StripeEventObject[]): Promise<void> {
    this.mode = 'deliver';
    for (const event of order(this.held.splice(0)))
      for (let copy = 0; copy < this.copies; copy += 1) await this.attempt(event, 0);
  }

  sign(
    event: StripeEventObject,
    { secret = this.secret, at = Math.floor(Date.now() / 1000) } = {},
  ): { headers: Record<string, string>; body: string } {
    const body = JSON.stringify(event, null, 2);
    const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Stripe-Signature': `t=${at},v1=${signature},v0=${'0'.repeat(64)}`,
      'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    };
    return { headers, body };
  }

  stop(): void {
    this.aborted.abort();
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  private async attempt(event: StripeEventObject, number: number): Promise<void> {
    if (this.url === null || this.aborted.signal.aborted) return;
    this.inFlight += 1;
    const status = await this.post(this.url, event);
    this.inFlight -= 1;
    this.attempts.push({ event: event.id, type: event.type, status });
    if (status !== null && status >= 200 && status < 300) return;
    const delay = RETRY_DELAYS_MS[number];
    if (delay === undefined || this.aborted.signal.aborted) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.attempt(event, number + 1);
    }, delay);
    this.timers.add(timer);
  }

  private async post(url: string, event: StripeEventObject): Promise<number | null> {
    try {
      const response = await fetch(url, { method: 'POST', ...this.sign(event), signal: this.aborted.signal });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return null;
    }
  }
}
