import { randomUUID } from 'node:crypto';
import { describeError, ServiceError } from '@app/errors';
import type Stripe from 'stripe';
import type { StripeOptions } from './stripe-options.js';

export type StripeConnectionOptions = Pick<StripeOptions, 'secretKey' | 'apiUrl' | 'timeoutMs'>;

/** @returns a function that loads the package with its first call: programs start faster, and many never call it */
export function createStripeClientLoader(connection: StripeConnectionOptions): () => Promise<Stripe> {
  let client: Promise<Stripe> | undefined;
  return () => (client ??= loadStripe(connection));
}

async function loadStripe({ secretKey, apiUrl, timeoutMs }: StripeConnectionOptions): Promise<Stripe> {
  const { Stripe } = await import('stripe');
  // Requests are repeated by reconciliation and by Stripe, not by this process while somebody waits.
  const options = { maxNetworkRetries: 0, timeout: timeoutMs, telemetry: false };
  if (apiUrl === undefined) return new Stripe(secretKey, options);
  const { protocol, hostname, port } = new URL(apiUrl);
  const isHttp = protocol === 'http:';
  return new Stripe(secretKey, {
    ...options,
    protocol: isHttp ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (isHttp ? 80 : 443) : port,
  });
}

/** Stripe sends the object instead of its id where a request expands it. @returns null if there is none */
export function getIdOfStripeReference(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

/** The fields of an error of the API. */
export interface StripeFailure {
  type: string;
  code?: string;
  param?: string;
  decline_code?: string;
  advice_code?: string;
  statusCode?: number;
  payment_intent?: Stripe.PaymentIntent;
  headers?: Record<string, string>;
}

/**
 * Whether other requests with the same idempotency key may fail in the same way for a day. Stripe stores the response of a request
 * that failed there, and refuses other parameters, such as another card or name.
 */
export function isReplayedForIdempotencyKey({ type, statusCode = 0 }: StripeFailure): boolean {
  return statusCode >= 500 || (type === 'idempotency_error' && statusCode === 400);
}

/**
 * For requests of which a second execution does no harm.
 * @param send gets the key, and if Stripe repeats an earlier failure for it, a new one
 */
export async function withNewKeyAfterRepeatedFailure<T>(
  key: string,
  send: (idempotencyKey: string) => Promise<T>,
): Promise<T> {
  try {
    return await send(key);
  } catch (error) {
    const failure = toStripeFailure(error);
    if (!failure || !isReplayedForIdempotencyKey(failure)) throw error;
    const isFirst =
      failure.type !== 'idempotency_error' && failure.headers?.['idempotent-replayed'] !== 'true';
    if (isFirst) throw error;
    return send(`${key}-${randomUUID()}`);
  }
}

/** @returns null for an error that is none of the API */
export function toStripeFailure(error: unknown): StripeFailure | null {
  const { rawType, statusCode } = (error ?? {}) as { rawType?: unknown; statusCode?: unknown };
  if (typeof rawType !== 'string' || typeof statusCode !== 'number') return null;
  return { ...(error as StripeFailure), type: rawType };
}

/** Turns errors of Stripe into `service_unavailable`: callers of this service cannot mend them. @returns other errors as they are */
export function toUnavailableIfStripeError(error: unknown): unknown {
  const { type } = (error ?? {}) as { type?: unknown };
  if (typeof type !== 'string' || !type.startsWith('Stripe')) return error;
  return new ServiceError('service_unavailable', {
    detail: 'The payment provider did not answer as expected. Try again.',
    cause: new Error(describeError(error)),
  });
}
