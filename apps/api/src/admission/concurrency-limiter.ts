import type { ServerResponse } from 'node:http';
import { ServiceError } from '@app/errors';

const RETRY_AFTER_SECONDS = 2;

/** All places are taken, or the share of one owner is. */
export type ExceededLimit = 'total' | 'share';

export interface ConcurrencyLimiterOptions {
  /** What takes the places, for the refusal: `event streams`. */
  resource: string;
  /** Who has a share of them, for the refusal: `key`. */
  ownerKind: string;
  maxTotal: number;
  maxPerOwner: number;
  /** Told of every refusal, with the limit that was reached. */
  onRejected?: (limit: ExceededLimit) => void;
}

/**
 * So many places, of which one owner has no more than a share. Whoever finds none is refused at once: what waited in
 * memory for its turn would be the very thing that is bounded here.
 */
export class ConcurrencyLimiter {
  private readonly inUseByOwner = new Map<string, number>();
  private totalInUse = 0;

  constructor(private readonly options: ConcurrencyLimiterOptions) {}

  get inUse(): number {
    return this.totalInUse;
  }

  /**
   * @param size places that it takes; what is larger than all of them is admitted where it is alone
   * @returns gives them back; once is enough, more does no harm
   * @throws ServiceError `concurrency_limit_exceeded` where the share of the owner is taken, `service_unavailable` where all
   * places are; with the seconds after which to come again
   */
  acquire(owner: string, size = 1): () => void {
    const { resource: what } = this.options;
    const release = this.tryAcquire(owner, size);
    if (release === null) throw this.rejection('total', `too many ${what} at once`);
    return release;
  }

  /** As `take`. @returns null where all places are taken. @throws ServiceError `concurrency_limit_exceeded` */
  private tryAcquire(owner: string, size = 1): (() => void) | null {
    const { resource: what, ownerKind: kind, maxTotal: total, maxPerOwner: perOwner } = this.options;
    const own = this.inUseByOwner.get(owner) ?? 0;
    if (own > 0 && own + size > perOwner)
      throw this.rejection('share', `too many ${what} of this ${kind} at once`);
    if (this.totalInUse > 0 && this.totalInUse + size > total) return null;
    this.adjust(owner, size);
    let held = true;
    return () => {
      if (held) this.adjust(owner, -size);
      held = false;
    };
  }

  /** Holds a place for as long as the work takes, however it ends. @throws as `take`, and what the work throws */
  async run<T>(owner: string, work: () => Promise<T>, size = 1): Promise<T> {
    const release = this.acquire(owner, size);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Holds a place until the answer is sent or its client has gone. @throws as `take` */
  holdUntilClosed(owner: string, answer: ServerResponse): void {
    leaveAtClose(answer, this.acquire(owner));
  }

  /**
   * As `untilClosed`, for who has another answer where all places are taken.
   * @returns whether a place is held
   * @throws ServiceError `concurrency_limit_exceeded`
   */
  tryHoldUntilClosed(owner: string, answer: ServerResponse): boolean {
    const release = this.tryAcquire(owner);
    if (release === null) this.options.onRejected?.('total');
    else leaveAtClose(answer, release);
    return release !== null;
  }

  private adjust(owner: string, by: number): void {
    this.totalInUse += by;
    const own = (this.inUseByOwner.get(owner) ?? 0) + by;
    if (own > 0) this.inUseByOwner.set(owner, own);
    else this.inUseByOwner.delete(owner);
  }

  private rejection(limit: ExceededLimit, why: string): ServiceError {
    this.options.onRejected?.(limit);
    return new ServiceError(limit === 'share' ? 'concurrency_limit_exceeded' : 'service_unavailable', {
      detail: `There are ${why}. Send the request again.`,
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }
}

function leaveAtClose(response: ServerResponse, release: () => void): void {
  if (response.closed) release();
  else response.once('close', release);
}
