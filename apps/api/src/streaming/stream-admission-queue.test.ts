import { type Observable, Subject, type Subscription } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiOptions } from '../api-options.js';
import { StreamAdmissionQueue, type StreamQueuePosition } from './stream-admission-queue.js';

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

const toItem = (waiting: StreamQueuePosition): StreamItem => waiting;

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
    listen(pool.serve(first, toItem));
    const waiting = listen(pool.serve(second, toItem));
    expect(waiting.received).toEqual([{ position: 1, eta_seconds: 10 }]);
    first.complete();
    second.next('served');
    expect(waiting.received.at(-1)).toBe('served');
    expect([pool.activeStreams, pool.waitingStreams]).toEqual([1, 0]);
  });

  it('repeats the queue position, which decreases as other streams leave', () => {
    const pool = createQueue(1);
    listen(pool.serve(new Subject<string>(), toItem));
    const ahead = listen(pool.serve(new Subject<string>(), toItem));
    const behind = listen(pool.serve(new Subject<string>(), toItem));
    expect(behind.received).toMatchObject([{ position: 2 }]);
    ahead.unsubscribe();
    vi.advanceTimersByTime(3_000);
    expect(behind.received).toMatchObject([{ position: 2 }, { position: 1 }]);
  });

  it('gives the slot of a disconnected client to the next stream in order', () => {
    const pool = createQueue(1);
    const served = listen(pool.serve(new Subject<string>(), toItem));
    const sources = [new Subject<string>(), new Subject<string>()];
    const waiting = sources.map((source) => listen(pool.serve(source, toItem)));
    served.unsubscribe();
    for (const source of sources) source.next('turn');
    expect(waiting.map(({ received }) => received.includes('turn'))).toEqual([true, false]);
  });

  it('ends every active and waiting stream on shutdown', () => {
    const pool = createQueue(1);
    const streams = [1, 2].map(() => listen(pool.serve(new Subject<string>(), toItem)));
    pool.onModuleDestroy();
    expect(streams.map(({ ended }) => ended)).toEqual([true, true]);
    expect([pool.activeStreams, pool.waitingStreams]).toEqual([0, 0]);
  });

  it('ends a stream at once that is opened during shutdown', () => {
    const pool = createQueue(1);
    pool.onModuleDestroy();
    expect(listen(pool.serve(new Subject<string>(), toItem)).ended).toBe(true);
    expect(pool.activeStreams).toBe(0);
  });
});
