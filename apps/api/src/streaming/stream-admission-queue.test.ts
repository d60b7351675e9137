import { NEVER, type Observable, Subject, type Subscription } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiOptions } from '../api-options.js';
import type { StreamQueuePosition } from './pooled-stream.js';
import { StreamAdmissionQueue } from './stream-admission-queue.js';

type StreamItem = string | StreamQueuePosition;

const subscriptions: Subscription[] = [];

function createQueue(maxConcurrent: number): StreamAdmissionQueue {
  return new StreamAdmissionQueue({
    streams: { maxConcurrent, waitingSeconds: 3, heartbeatSeconds: 15 },
  } as ApiOptions);
}

function listen(stream: Observable<StreamItem>) {
  const received: StreamItem[] = [];
  const state = { received, ended: false, unsubscribe: () => subscription.unsubscribe() };
  const subscription = stream.subscribe({
    next: (value) => void received.push(value),
    complete: () => (state.ended = true),
  });
  subscriptions.push(subscription);
  return state;
}

function serve(
  pool: StreamAdmissionQueue,
  source: Observable<string> = NEVER,
  accountId = 'a',
  end: Observable<string> = NEVER,
) {
  const toMessage = (position: StreamQueuePosition): StreamItem => position;
  return listen(pool.serve<StreamItem>(accountId, { serve: () => source, wait: () => end, toMessage }));
}

/** Whether the stream has a slot. */
function isServed({ received }: { received: StreamItem[] }, source: Subject<string>): boolean {
  source.next('probe');
  return received.at(-1) === 'probe';
}

/** Opens idle streams of an account. */
function openIdle(pool: StreamAdmissionQueue, accountId: string, count: number) {
  return Array.from({ length: count }, () => {
    const source = new Subject<string>();
    const stream = serve(pool, source, accountId);
    return { ...stream, isServed: () => isServed(stream, source) };
  });
}

const countServed = (streams: { isServed: () => boolean }[]) =>
  streams.filter((stream) => stream.isServed()).length;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const subscription of subscriptions.splice(0)) subscription.unsubscribe();
  vi.useRealTimers();
});

describe('StreamAdmissionQueue', () => {
  it('reports the queue position of a stream at once and serves it when a slot is free', () => {
    const pool = createQueue(1);
    const first = new Subject<string>();
    const second = new Subject<string>();
    serve(pool, first);
    const waiting = serve(pool, second);
    expect(waiting.received).toEqual([{ position: 1, eta_seconds: 10 }]);
    first.complete();
    second.next('served');
    expect(waiting.received.at(-1)).toBe('served');
    expect([pool.activeStreams, pool.waitingStreams]).toEqual([1, 0]);
  });

  it('repeats the queue position, which decreases as other streams leave', () => {
    const pool = createQueue(1);
    serve(pool, new Subject<string>());
    const ahead = serve(pool, new Subject<string>());
    const behind = serve(pool, new Subject<string>());
    expect(behind.received).toMatchObject([{ position: 2 }]);
    ahead.unsubscribe();
    vi.advanceTimersByTime(3_000);
    expect(behind.received).toMatchObject([{ position: 2 }, { position: 1 }]);
  });

  it('gives the slot of a disconnected client to the next stream in order', () => {
    const pool = createQueue(1);
    const served = serve(pool, new Subject<string>());
    const sources = [new Subject<string>(), new Subject<string>()];
    const waiting = sources.map((source) => serve(pool, source));
    served.unsubscribe();
    for (const source of sources) source.next('turn');
    expect(waiting.map(({ received }) => received.includes('turn'))).toEqual([true, false]);
  });

  it('ends every active and waiting stream on shutdown', () => {
    const pool = createQueue(1);
    const streams = [1, 2].map(() => serve(pool, new Subject<string>()));
    pool.onModuleDestroy();
    expect(streams.map(({ ended }) => ended)).toEqual([true, true]);
    expect([pool.activeStreams, pool.waitingStreams]).toEqual([0, 0]);
  });

  it('ends a stream at once that is opened during shutdown', () => {
    const pool = createQueue(1);
    pool.onModuleDestroy();
    expect(serve(pool, new Subject<string>()).ended).toBe(true);
    expect(pool.activeStreams).toBe(0);
  });
});

describe('StreamAdmissionQueue with several accounts', () => {
  it.each([2, 3, 10, 20])(
    'divides the slots among %i accounts with idle streams and one that comes later',
    (count) => {
      const pool = createQueue(200);
      const idle = Array.from({ length: count }, (_, account) => openIdle(pool, String(account), 100));
      const late = openIdle(pool, 'late', 5);
      expect(countServed(late)).toBe(5);
      expect([pool.activeStreams, pool.waitingStreams]).toEqual([200, count * 100 - 195]);
      const share = Math.floor(195 / count);
      for (const streams of idle) expect([share, share + 1]).toContain(countServed(streams));
    },
  );

  it('takes no slot from an account for one that would then hold more', () => {
    const pool = createQueue(3);
    const [first, second] = [openIdle(pool, 'a', 2), openIdle(pool, 'b', 2)];
    expect([countServed(first), countServed(second)]).toEqual([2, 1]);
  });

  it('lets the longest served stream of the largest account wait, and serves it again after its account holds fewer', () => {
    const pool = createQueue(2);
    const [oldest, newest] = openIdle(pool, 'a', 2);
    const other = serve(pool, NEVER, 'b');
    expect(other.received).toEqual([]);
    expect(oldest?.received).toEqual([{ position: 1, eta_seconds: 5 }]);
    expect([oldest?.isServed(), newest?.isServed()]).toEqual([false, true]);
    other.unsubscribe();
    expect(oldest?.isServed()).toBe(true);
  });

  it('gives a free slot to the account that holds fewest, and in turn among those that hold as many', () => {
    const pool = createQueue(1);
    const sources = Array.from({ length: 5 }, () => new Subject<string>());
    const [running, ...waiting] = sources.map((source, index) =>
      serve(pool, source, index < 3 ? 'many' : index === 3 ? 'b' : 'c'),
    );
    const positions = waiting.map(({ received }) => received[0]);
    expect(positions).toMatchObject([{ position: 1 }, { position: 2 }, { position: 1 }, { position: 2 }]);
    expect(pool.nextPosition('d').position).toBe(3);
    const order: number[] = [];
    const active = [running, ...waiting];
    for (let served = 0; served < 5; served += 1) {
      const index = sources.findIndex((source, at) => {
        source.next('probe');
        return active[at]?.received.at(-1) === 'probe' && !active[at].ended;
      });
      order.push(index);
      sources[index]?.complete();
    }
    expect(order).toEqual([0, 3, 4, 1, 2]);
  });

  it('ends a waiting stream without a slot when its job has ended', () => {
    const pool = createQueue(1);
    serve(pool);
    const end = new Subject<string>();
    const waiting = serve(pool, NEVER, 'b', end);
    const behind = serve(pool, NEVER, 'c', NEVER);
    end.next('completed');
    end.complete();
    expect(waiting.received.at(-1)).toBe('completed');
    expect(waiting.ended).toBe(true);
    expect([pool.activeStreams, pool.waitingStreams]).toEqual([1, 1]);
    vi.advanceTimersByTime(3_000);
    expect(behind.received.at(-1)).toMatchObject({ position: 1 });
  });

  it('expects to wait at least as long as no slot has been free', () => {
    const pool = createQueue(1);
    serve(pool);
    const waiting = serve(pool);
    vi.advanceTimersByTime(60_000);
    expect(waiting.received.at(-1)).toEqual({ position: 1, eta_seconds: 60 });
  });
});
