import type { ServerResponse } from 'node:http';
import { ServiceError } from '@app/errors';

const RETRY_AFTER_SECONDS = 2;

/** All places are taken, or the share of one owner is. */
export type PlacesLimit = 'total' | 'share';

export interface PlacesOptions {
  /** What takes the places, for the refusal: `event streams`. */
  what: string;
  /** Who has a share of them, for the refusal: `key`. */
  owner: string;
  total: number;
  perOwner: number;
  /** Told of every refusal, with the limit that was reached. */
  refused?: (limit: PlacesLimit) => void;
}

/**
 * So many places, of which one owner has no more than a share. Whoever finds none is refused at once: what waited in
 * memory for its turn would be the very thing that is bounded here.
 */
export class Places {
  private readonly owned = new Map<string, number>();
  private all = 0;

  constructor(private readonly options: PlacesOptions) {}

  get taken(): number {
    return this.all;
  }

  /**
   * @param size places that it takes; what is larger than all of them is admitted where it is alone
   * @returns gives them back; once is enough, more does no harm
   * @throws ServiceError `concurrency_limit_exceeded` where the share of the owner is taken, `service_unavailable` where all
   * places are; with the seconds after which to come again
   */
  take(owner: string, size = 1): () => void {
    const { what } = this.options;
    const leave = this.takeIfFree(owner, size);
    if (leave === null) throw this.refusal('total', `too many ${what} at once`);
    return leave;
  }

  /** As `take`. @returns null where all places are taken. @throws ServiceError `concurrency_limit_exceeded` */
  private takeIfFree(owner: string, size = 1): (() => void) | null {
    const { what, owner: kind, total, perOwner } = this.options;
    const own = this.owned.get(owner) ?? 0;
    if (own > 0 && own + size > perOwner)
      throw this.refusal('share', `too many ${what} of this ${kind} at once`);
    if (this.all > 0 && this.all + size > total) return null;
    this.change(owner, size);
    let held = true;
    return () => {
      if (held) this.change(owner, -size);
      held = false;
    };
  }

  /** Holds a place for as long as the work takes, however it ends. @throws as `take`, and what the work throws */
  async during<T>(owner: string, work: () => Promise<T>, size = 1): Promise<T> {
    const leave = this.take(owner, size);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Holds a place until the answer is sent or its client has gone. @throws as `take` */
  untilClosed(owner: string, answer: ServerResponse): void {
    leaveAtClose(answer, this.take(owner));
  }

  /**
   * As `untilClosed`, for who has another answer where all places are taken.
   * @returns whether a place is held
   * @throws ServiceError `concurrency_limit_exceeded`
   */
  untilClosedIfFree(owner: string, answer: ServerResponse): boolean {
    const leave = this.takeIfFree(owner);
    if (leave === null) this.options.refused?.('total');
    else leaveAtClose(answer, leave);
    return leave !== null;
  }

  private change(owner: string, by: number): void {
    this.all += by;
    const own = (this.owned.get(owner) ?? 0) + by;
    if (own > 0) this.owned.set(owner, own);
    else this.owned.delete(owner);
  }

  private refusal(limit: PlacesLimit, why: string): ServiceError {
    this.options.refused?.(limit);
    return new ServiceError(limit === 'share' ? 'concurrency_limit_exceeded' : 'service_unavailable', {
      detail: `There are ${why}. Send the request again.`,
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }
}

function leaveAtClose(answer: ServerResponse, leave: () => void): void {
  if (answer.closed) leave();
  else answer.once('close', leave);
}
