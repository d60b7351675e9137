import type { OutboundClient } from '@app/outbound';
import type { DataSource } from 'typeorm';
import type { WebhookSigningSecretService } from '../signing/webhook-signing-secret.service.js';
import {
  claimNextDueDelivery,
  type ClaimedDelivery,
  postponeDeliveryWithoutAttempt,
  recordAttemptAndUpdateDelivery,
} from './webhook-delivery.repository.js';
import { composeWebhookBody, type DownloadUrlFactory } from './webhook-body.js';
import type { WebhookBodyEncryptor } from './webhook-body-encryptor.js';
import { type WebhookAttemptResult, sendWebhook } from './send-webhook.js';
import { decideDeliveryRetry, type DeliveryRetryDecision } from './retry-decision.js';

/** While the network of this machine fails, an attempt counts only for a delivery that is older. */
const MAX_UNCOUNTED_AGE_SECONDS = 24 * 3_600;

export interface WebhookDispatcherOptions {
  dataSource: DataSource;
  client: OutboundClient;
  secrets: WebhookSigningSecretService;
  bodies: WebhookBodyEncryptor;
  createDownloadUrl: DownloadUrlFactory;
  logger: { warn(message: string, context?: object): void };
  /** One account gets at most half, and all accounts together leave a share free. */
  concurrency: number;
  /** Before the second, third, … attempt. */
  backoffSeconds: readonly number[];
  /** Per attempt. Default 10,000. */
  timeoutMs?: number;
  /** Default 30. */
  leaseSeconds?: number;
  /** Runs every attempt, from its body to its recorded result and its log lines. */
  wrapAttempt?: (delivery: ClaimedDelivery, attempt: () => Promise<void>) => Promise<void>;
  /** Called for every recorded attempt. */
  onAttempt?: (outcome: WebhookAttemptResult, decision: DeliveryRetryDecision) => void;
  /** Called when an attempt has ended and its slot is free. */
  onSlotFree?: () => void;
}

/**
 * Each attempt has its own slot, so a hanging receiver delays no other. An account gets a further slot only while it has fewer
 * than are free: one whose receivers all hang occupies half of the slots, two a third each, and a share stays free.
 */
export class WebhookDispatcher {
  private readonly inFlight = new Map<string, { accountId: string; ended: Promise<void> }>();
  private readonly timeoutMs: number;
  private readonly leaseSeconds: number;
  private stopped = false;

  constructor(private readonly options: WebhookDispatcherOptions) {
    this.timeoutMs = options.timeoutMs ?? 10_000;
    this.leaseSeconds = options.leaseSeconds ?? 30;
  }

  /**
   * Sends a delivery that is due again without a delay in the same call. @returns the number of started
   * attempts
   */
  async fillSlots(): Promise<number> {
    let startedCount = 0;
    while (!this.stopped && this.inFlight.size < this.options.concurrency) {
      const delivery = await claimNextDueDelivery(
        this.options.dataSource,
        this.leaseSeconds,
        this.accountsAtLimit(),
      );
      if (!delivery) break;
      this.startSend(delivery);
      startedCount += 1;
    }
    return startedCount;
  }

  /** Stops claiming; `drain` waits for running attempts. */
  stop(): void {
    this.stopped = true;
  }

  async drain(): Promise<void> {
    while (this.inFlight.size > 0) await Promise.all([...this.inFlight.values()].map(({ ended }) => ended));
  }

  /** Waits for the attempts. @returns the number of started attempts */
  async dispatchOnce(): Promise<number> {
    const started = await this.fillSlots();
    await this.drain();
    return started;
  }

  private startSend(delivery: ClaimedDelivery): void {
    const slot = `${delivery.id}/${delivery.fence}`;
    const ended = this.runAttempt(delivery).finally(() => {
      this.inFlight.delete(slot);
      this.options.onSlotFree?.();
    });
    this.inFlight.set(slot, { accountId: delivery.accountId, ended });
  }

  /** Does not reject: an error is logged, within the wrapper unless the wrapper itself has failed. */
  private async runAttempt(delivery: ClaimedDelivery): Promise<void> {
    let isLogged = false;
    const logError = (error: unknown) => {
      isLogged = true;
      const message = 'webhook not sent, or its result not recorded; it is sent again later';
      this.options.logger.warn(message, { ...deliveryLogFields(delivery), error });
    };
    const attempt = async () => {
      try {
        await this.deliver(delivery);
      } catch (error) {
        logError(error);
        await this.postpone(delivery);
        throw error;
      }
    };
    try {
      await (this.options.wrapAttempt?.(delivery, attempt) ?? attempt());
    } catch (error) {
      if (!isLogged) logError(error);
    }
  }

  /** If the database does not respond, the delivery is due again after its lease. */
  private async postpone(delivery: ClaimedDelivery): Promise<void> {
    const { dataSource } = this.options;
    await postponeDeliveryWithoutAttempt(dataSource, delivery, this.leaseSeconds).catch(() => undefined);
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const { dataSource, client, secrets, bodies } = this.options;
    const body = bodies.decrypt(delivery) ?? (await this.composeFirstBody(delivery));
    if (body === undefined) return;
    const signingSecrets = await secrets.readOrCreateCurrent(delivery.accountId);
    const { timeoutMs } = this;
    const outcome = await sendWebhook(client, delivery, Buffer.from(body), { ...signingSecrets, timeoutMs });
    if (outcome.ownFailure !== null && delivery.ageSeconds < MAX_UNCOUNTED_AGE_SECONDS)
      throw new Error(`This machine cannot reach other servers (${outcome.ownFailure}).`);
    const decision = decideDeliveryRetry(outcome, delivery.attemptCount + 1, this.options.backoffSeconds);
    const number = delivery.totalAttemptCount + 1;
    const exchange = bodies.encryptExchange(delivery.id, number, outcome.exchange);
    if (!(await recordAttemptAndUpdateDelivery(dataSource, delivery, outcome, decision, exchange))) return;
    this.options.onAttempt?.(outcome, decision);
    if (decision.state === 'failed') this.logFailure(delivery, outcome);
  }

  private logFailure(delivery: ClaimedDelivery, { statusCode, error }: WebhookAttemptResult): void {
    this.options.logger.warn('webhook failed for good', {
      ...deliveryLogFields(delivery),
      attempts: delivery.attemptCount + 1,
      ...(statusCode === null ? { reason: error } : { status: statusCode }),
      ...(URL.canParse(delivery.url) && { receiver: new URL(delivery.url).host }),
    });
  }

  private async composeFirstBody(delivery: ClaimedDelivery): Promise<string | undefined> {
    const { bodies, createDownloadUrl } = this.options;
    const body = await composeWebhookBody(delivery, createDownloadUrl);
    return (await bodies.encryptAndSave(delivery, body)) ? body : undefined;
  }

  private accountsAtLimit(): string[] {
    const freeCount = this.options.concurrency - this.inFlight.size;
    const counts = new Map<string, number>();
    for (const { accountId } of this.inFlight.values())
      counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= freeCount).map(([accountId]) => accountId);
  }
}

/** Omits the URL of the receiver, because its query may contain a secret. */
function deliveryLogFields({ id, jobId, accountId, requestId }: ClaimedDelivery): object {
  return {
    delivery_id: id,
    ...(jobId !== null && { job_id: jobId }),
    account_id: accountId,
    ...(requestId !== null && { request_id: requestId }),
  };
}
