import type { ServerResponse } from 'node:http';
import { ServiceError } from '@app/errors';

const RETRY_AFTER_SECONDS = 2;

export interface PlacesOptions {
  /** What takes the places, for the refusal: `event streams`. */
  what: string;
  /** Who has a share of them, for the refusal: `key`. */
  owner: string;
  total: number;
  perOwner: number;
  /** Told of every refusal. */
  refused?: () => void;
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
   * @throws ServiceError `unavailable`, with the seconds after which to come again
   */
  take(owner: string, size = 1): () => void {
    const { what, owner: kind, total, perOwner } = this.options;
    const own = this.owned.get(owner) ?? 0;
    if (own > 0 && own + size > perOwner) throw this.refusal(`too many ${what} of this ${kind} at once`);
    if (this.all > 0 && this.all + size > total) throw this.refusal(`too many ${what} at once`);
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
    const leave = this.take(owner);
    if (answer.closed) leave();
    else answer.once('close', leave);
  }

  private change(owner: string, by: number): void {
    this.all += by;
    const own = (this.owned.get(owner) ?? 0) + by;
    if (own > 0) this.owned.set(owner, own);
    else this.owned.delete(owner);
  }

  private refusal(why: string): ServiceError {
    this.options.refused?.();
    return new ServiceError('unavailable', {
      detail: `There are ${why}. Send the request again.`,
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }
}
