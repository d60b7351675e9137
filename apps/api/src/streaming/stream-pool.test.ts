import { type Observable, Subject, type Subscription } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiOptions } from '../api-options.js';
import { StreamPool, type QueuePosition } from './stream-pool.js';

type Heard = string | QueuePosition;

const subscriptions: Subscription[] = [];

function poolOf(poolSize: number): StreamPool {
  return new StreamPool({ streams: { poolSize, waitingSeconds: 3, heartbeatSeconds: 15 } } as ApiOptions);
}

function listen(stream: Observable<Heard>) {
  const heard: Heard[] = [];
  const state = { heard, ended: false, leave: () => subscription.unsubscribe() };
  const subscription = stream.subscribe({
    next: (value) => void heard.push(value),
    complete: () => (state.ended = true),
  });
  subscriptions.push(subscription);
  return state;
}

const say = (waiting: QueuePosition): Heard => waiting;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const subscription of subscriptions.splice(0)) subscription.unsubscribe();
  vi.useRealTimers();
});

describe('StreamPool', () => {
  it('reports the queue position of a stream at once and serves it when a slot is free', () => {
    const pool = poolOf(1);
    const first = new Subject<string>();
    const second = new Subject<string>();
    listen(pool.serve(first, say));
    const waiting = listen(pool.serve(second, say));
    expect(waiting.heard).toEqual([{ position: 1, eta_seconds: 10 }]);
    first.complete();
    second.next('served');
    expect(waiting.heard.at(-1)).toBe('served');
    expect([pool.activeStreams, pool.waitingStreams]).toEqual([1, 0]);
  });

  it('repeats the queue position, which decreases as other streams leave', () => {
    const pool = poolOf(1);
    listen(pool.serve(new Subject<string>(), say));
    const ahead = listen(pool.serve(new Subject<string>(), say));
    const behind = listen(pool.serve(new Subject<string>(), say));
    expect(behind.heard).toMatchObject([{ position: 2 }]);
    ahead.leave();
    vi.advanceTimersByTime(3_000);
    expect(behind.heard).toMatchObject([{ position: 2 }, { position: 1 }]);
  });

  it('gives the slot of a disconnected client to the next stream in order', () => {
    const pool = poolOf(1);
    const served = listen(pool.serve(new Subject<string>(), say));
    const sources = [new Subject<string>(), new Subject<string>()];
    const waiting = sources.map((source) => listen(pool.serve(source, say)));
    served.leave();
    for (const source of sources) source.next('turn');
    expect(waiting.map(({ heard }) => heard.includes('turn'))).toEqual([true, false]);
  });

  it('ends every active and waiting stream on shutdown', () => {
    const pool = poolOf(1);
    const streams = [1, 2].map(() => listen(pool.serve(new Subject<string>(), say)));
    pool.onModuleDestroy();
    expect(streams.map(({ ended }) => ended)).toEqual([true, true]);
    expect([pool.activeStreams, pool.waitingStreams]).toEqual([0, 0]);
  });

  it('ends a stream at once that is opened during shutdown', () => {
    const pool = poolOf(1);
    pool.onModuleDestroy();
    expect(listen(pool.serve(new Subject<string>(), say)).ended).toBe(true);
    expect(pool.activeStreams).toBe(0);
  });
});
