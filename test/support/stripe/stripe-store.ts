import { randomBytes } from 'node:crypto';
import type {
  StripeChargeObject,
  StripeCustomerObject,
  StripeDisputeObject,
  StripeEventObject,
  StripeIntentObject,
  StripeObject,
  StripePaymentMethodObject,
  StripeRefundObject,
  StripeSessionObject,
} from './objects.js';
import { noSuch } from './stripe-error.js';

export const API_VERSION = '2026-10-28.endive';

/** The objects of one Stripe account. */
export class StripeStore {
  readonly customers = new Map<string, StripeCustomerObject>();
  readonly paymentMethods = new Map<string, StripePaymentMethodObject>();
  readonly intents = new Map<string, StripeIntentObject>();
  readonly charges = new Map<string, StripeChargeObject>();
  readonly sessions = new Map<string, StripeSessionObject>();
  readonly refunds = new Map<string, StripeRefundObject>();
  readonly disputes = new Map<string, StripeDisputeObject>();
  readonly events: StripeEventObject[] = [];

  constructor(
    /** Base URL of checkout pages and receipts. */
    protected readonly pagesUrl: string,
    private readonly onEvent: (event: StripeEventObject) => void,
  ) {}

  getIntent(id: string): StripeIntentObject {
    return this.require(this.intents, 'payment_intent', id);
  }

  /** @throws StripeErrorAnswer 404 */
  require<T>(objects: ReadonlyMap<string, T>, kind: string, id: string): T {
    const found = objects.get(id);
    if (!found) throw noSuch(kind, id);
    return found;
  }

  protected emit(type: string, object: StripeObject): void {
    const event: StripeEventObject = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: now(),
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    };
    this.events.push(event);
    this.onEvent(event);
  }
}

export function now(): number {
  return Math.floor(Date.now() / 1000);
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
