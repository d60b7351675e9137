import { type Observable, type Observer, type Subscriber, Subscription } from 'rxjs';

export interface StreamQueuePosition {
  position: number;
  eta_seconds: number;
}

export interface StreamPhases<T> {
  /** Subscribed whenever the stream gets a slot; continues after what was sent before. */
  serve: () => Observable<T>;
  /** Subscribed while the stream waits. When it completes, the stream ends without a slot. */
  wait: () => Observable<T>;
  toMessage: (position: StreamQueuePosition) => T;
}

/** The streams of one account. */
export class AccountStreams {
  /** The longest served first. */
  readonly served = new Set<PooledStream>();
  /** In order of their service. */
  readonly waiting = new Set<PooledStream>();

  constructor(public turn: number) {}
}

/** A stream that has a slot or waits for one. */
export class PooledStream<T = unknown> implements Observer<T> {
  startedAt = 0;
  private phase: Subscription | undefined;

  constructor(
    readonly account: AccountStreams,
    private readonly client: Subscriber<T>,
    private readonly phases: StreamPhases<T>,
  ) {}

  start(): void {
    this.startedAt = Date.now();
    this.follow(this.phases.serve());
  }

  wait(intervalMs: number, findPosition: () => StreamQueuePosition): void {
    const sendPosition = () => this.client.next(this.phases.toMessage(findPosition()));
    sendPosition();
    const timer = setInterval(sendPosition, intervalMs);
    this.follow(this.phases.wait()).add(() => clearInterval(timer));
  }

  stop(): void {
    this.phase?.unsubscribe();
  }

  next(value: T): void {
    this.client.next(value);
  }

  error(error: unknown): void {
    this.client.error(error);
  }

  complete(): void {
    this.client.complete();
  }

  /** @returns the subscription, closed if the stream has already ended */
  private follow(events: Observable<T>): Subscription {
    this.stop();
    const phase = (this.phase = new Subscription());
    phase.add(events.subscribe(this));
    return phase;
  }
}

/** Orders accounts by who gets the next free slot: the one with the fewest, then the one whose turn was longest ago. */
export function compareByNextSlot(a: AccountStreams, b: AccountStreams): number {
  return a.served.size - b.served.size || a.turn - b.turn;
}

/**
 * The position of the waiting stream with an index in its account, if slots were given out and none returned: each stream is
 * ahead that gets its slot while its account holds fewer.
 */
export function computePosition(
  accounts: Iterable<AccountStreams>,
  account: AccountStreams,
  index: number,
): number {
  const held = account.served.size + index;
  let position = index + 1;
  for (const other of accounts) {
    if (other === account) continue;
    const size = other.served.size;
    // An account that rises to a number of slots has its turn after those that had it already.
    const isAhead = size === account.served.size ? other.turn < account.turn : size > account.served.size;
    position += Math.min(other.waiting.size, Math.max(0, held - size + (isAhead ? 1 : 0)));
  }
  return position;
}
