import type { ServerResponse } from 'node:http';
import { ServiceError } from '@app/errors';

const RETRY_AFTER_SECONDS = 2;

/** The limit of the process, or the share of one owner. */
export type ExceededLimit = 'total' | 'share';

export interface ConcurrencyLimiterOptions {
  /** Name of the limited resource in the error: `event streams`. */
  resource: string;
  /** Name of the owner in the error: `key`. */
  ownerKind: string;
  maxTotal: number;
  maxPerOwner: number;
  /** An owner that holds permits acquires no more of them than would be left for others, however many owners there are. */
  leavesRoomForOthers?: boolean;
  onRejected?: (limit: ExceededLimit) => void;
}

/**
 * A semaphore with a total and a share per owner. It rejects at once; queueing would consume the memory that it
 * limits.
 */
export class ConcurrencyLimiter {
  private readonly inUseByOwner = new Map<string, number>();
  private totalInUse = 0;

  constructor(private readonly options: ConcurrencyLimiterOptions) {}

  get inUse(): number {
    return this.totalInUse;
  }

  /**
   * @param size permits to acquire; a size above the total is admitted if nothing else is in use
   * @returns releases the permits; idempotent
   * @throws ServiceError `concurrency_limit_exceeded` over the share of the owner, `service_unavailable` over the total; both
   * with `retryAfter`
   */
  acquire(owner: string, size = 1): () => void {
    const { resource } = this.options;
    const release = this.tryAcquire(owner, size);
    if (release === null) throw this.rejection('total', `too many ${resource} at once`);
    return release;
  }

  /** Like `acquire`. @returns null over the total. @throws ServiceError `concurrency_limit_exceeded` */
  private tryAcquire(owner: string, size = 1): (() => void) | null {
    const { resource, ownerKind: kind, maxTotal, maxPerOwner } = this.options;
    const ownerInUse = this.inUseByOwner.get(owner) ?? 0;
    if (ownerInUse > 0 && ownerInUse + size > maxPerOwner)
      throw this.rejection('share', `too many ${resource} of this ${kind} at once`);
    if (this.totalInUse > 0 && this.totalInUse + size > maxTotal) return null;
    if (ownerInUse > 0 && !this.leavesRoom(ownerInUse)) return null;
    this.adjust(owner, size);
    let isHeld = true;
    return () => {
      if (isHeld) this.adjust(owner, -size);
      isHeld = false;
    };
  }

  /** Holds the permits until the work settles. @throws as `acquire`, and what the work throws */
  async run<T>(owner: string, work: () => Promise<T>, size = 1): Promise<T> {
    const release = this.acquire(owner, size);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Holds a permit until the response is sent or the client disconnects. @throws as `acquire` */
  holdUntilClosed(owner: string, response: ServerResponse): void {
    releaseOnClose(response, this.acquire(owner));
  }

  /**
   * Like `holdUntilClosed`, but returns false over the total.
   * @throws ServiceError `concurrency_limit_exceeded`
   */
  tryHoldUntilClosed(owner: string, response: ServerResponse): boolean {
    const release = this.tryAcquire(owner);
    if (release === null) this.options.onRejected?.('total');
    else releaseOnClose(response, release);
    return release !== null;
  }

  /** A share above half of the total was chosen to be reached. */
  private leavesRoom(ownerInUse: number): boolean {
    const { maxTotal, maxPerOwner, leavesRoomForOthers = false } = this.options;
    if (!leavesRoomForOthers || maxPerOwner >= maxTotal) return true;
    return ownerInUse < (maxTotal - this.totalInUse) * Math.max(1, maxPerOwner / (maxTotal - maxPerOwner));
  }

  private adjust(owner: string, by: number): void {
    this.totalInUse += by;
    const ownerInUse = (this.inUseByOwner.get(owner) ?? 0) + by;
    if (ownerInUse > 0) this.inUseByOwner.set(owner, ownerInUse);
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

function releaseOnClose(response: ServerResponse, release: () => void): void {
  if (response.closed) release();
  else response.once('close', release);
}
