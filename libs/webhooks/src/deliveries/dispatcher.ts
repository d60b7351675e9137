import type { DataSource } from 'typeorm';
import type { OutboundClient } from '../outbound/outbound-client.js';
import type { SigningSecrets } from '../signing/signing-secrets.js';
import { claimDelivery, type ClaimedDelivery, recordAttempt } from './webhook-delivery.repository.js';
import { composeWebhookBody, type CreateDownloadUrl } from './webhook-body.js';
import type { SealedWebhookBodies } from './sealed-webhook-bodies.js';
import { type AttemptResult, sendWebhook } from './send-webhook.js';
import { decideRetry, type RetryDecision } from './retry-decision.js';

export interface DispatcherOptions {
  dataSource: DataSource;
  client: OutboundClient;
  secrets: SigningSecrets;
  bodies: SealedWebhookBodies;
  createDownloadUrl: CreateDownloadUrl;
  logger: { warn(message: string, context?: object): void };
  /** Sends at once; one account gets at most half. Default 32. */
  concurrency?: number;
  /** Before the second, third, … attempt; one attempt more than delays. Default 5, 30, 120. */
  backoffSeconds?: readonly number[];
  /** Milliseconds of one attempt. Default 10,000. */
  timeoutMs?: number;
  /** After it a delivery whose dispatcher fell silent is taken by another. Default 30. */
  leaseSeconds?: number;
  /** Told of every attempt that was recorded. */
  onAttempt?: (outcome: AttemptResult, verdict: RetryDecision) => void;
  /** Told when a send has ended and there is room for another. */
  onSlotFree?: () => void;
}

/**
 * Sends due deliveries. Each send has a slot of its own, so that a receiver that hangs delays only itself,
 * and an account whose receivers all hang takes half of the slots at most.
 */
export class Dispatcher {
  private readonly inFlight = new Map<string, { accountId: string; ended: Promise<void> }>();
  private readonly concurrency: number;
  private readonly backoffSeconds: readonly number[];
  private readonly timeoutMs: number;
  private readonly leaseSeconds: number;
  private stopped = false;

  constructor(private readonly options: DispatcherOptions) {
    this.concurrency = options.concurrency ?? 32;
    this.backoffSeconds = options.backoffSeconds ?? [5, 30, 120];
    this.timeoutMs = options.timeoutMs ?? 10_000;
    this.leaseSeconds = options.leaseSeconds ?? 30;
  }

  /**
   * Starts a send in every free lane as long as anything is due. What was sent and is due again at once, having no
   * delay, is sent again in the same call.
   * @returns how many were started
   */
  async fillSlots(): Promise<number> {
    let startedCount = 0;
    while (!this.stopped && this.inFlight.size < this.concurrency) {
      const delivery = await claimDelivery(
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

  /** From now on nothing more is claimed, however much is due; `drain` waits for the sends under way. */
  stop(): void {
    this.stopped = true;
  }

  /** Resolves when the sends under way, and those started meanwhile, have ended and are written down. */
  async drain(): Promise<void> {
    while (this.inFlight.size > 0) await Promise.all([...this.inFlight.values()].map(({ ended }) => ended));
  }

  /** Sends what is due right now and waits for the outcomes. @returns how many were sent */
  async dispatchOnce(): Promise<number> {
    const started = await this.fillSlots();
    await this.drain();
    return started;
  }

  private startSend(delivery: ClaimedDelivery): void {
    const lane = `${delivery.id}/${delivery.fence}`;
    const ended = this.deliver(delivery)
      .catch((error: unknown) =>
        this.options.logger.warn(
          'webhook not sent, or its result not recorded; it is sent again after its lease',
          {
            ...deliveryLogFields(delivery),
            error,
          },
        ),
      )
      .finally(() => {
        this.inFlight.delete(lane);
        this.options.onSlotFree?.();
      });
    this.inFlight.set(lane, { accountId: delivery.accountId, ended });
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const { dataSource, client, secrets, bodies } = this.options;
    const body = bodies.open(delivery) ?? (await this.composeFirstBody(delivery));
    if (body === undefined) return;
    const signedWith = await secrets.getCurrent(delivery.accountId);
    const { timeoutMs } = this;
    const outcome = await sendWebhook(client, delivery, Buffer.from(body), { ...signedWith, timeoutMs });
    const verdict = decideRetry(outcome, delivery.attemptCount + 1, this.backoffSeconds);
    if (!(await recordAttempt(dataSource, delivery, outcome, verdict))) return;
    this.options.onAttempt?.(outcome, verdict);
    if (verdict.state === 'failed') this.logFailure(delivery, outcome);
  }

  private logFailure(delivery: ClaimedDelivery, { statusCode, error }: AttemptResult): void {
    this.options.logger.warn('webhook failed for good', {
      ...deliveryLogFields(delivery),
      attempts: delivery.attemptCount + 1,
      ...(statusCode === null ? { reason: error } : { status: statusCode }),
      receiver: new URL(delivery.url).host,
    });
  }

  private async composeFirstBody(delivery: ClaimedDelivery): Promise<string | undefined> {
    const { bodies, createDownloadUrl: downloadAddress } = this.options;
    const body = await composeWebhookBody(delivery, downloadAddress);
    return (await bodies.save(delivery, body)) ? body : undefined;
  }

  private accountsAtLimit(): string[] {
    const share = Math.ceil(this.concurrency / 2);
    const counts = new Map<string, number>();
    for (const { accountId } of this.inFlight.values())
      counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= share).map(([accountId]) => accountId);
  }
}

/** Never the address of the receiver: its query may hold a secret. */
function deliveryLogFields({ id, jobId, accountId, requestId }: ClaimedDelivery): object {
  return {
    delivery_id: id,
    job_id: jobId,
    account_id: accountId,
    ...(requestId !== null && { request_id: requestId }),
  };
}
