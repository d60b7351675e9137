import { AsyncLocalStorage } from 'node:async_hooks';
import { takeUntil, Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KeyRevocationWatcher } from './key-revocation-watcher.js';

const PASS_MS = 1_000;

let valid: Set<string>;
let polledKeys: string[][];
let isUnavailable: boolean;
let watch: KeyRevocationWatcher;

beforeEach(() => {
  vi.useFakeTimers();
  [valid, polledKeys, isUnavailable] = [new Set(['a', 'b']), [], false];
  watch = new KeyRevocationWatcher({
    findValidKeyIds: (ids) => {
      polledKeys.push([...ids]);
      return isUnavailable
        ? Promise.reject(new Error('unavailable'))
        : Promise.resolve(new Set(ids.filter((id) => valid.has(id))));
    },
  });
});
afterEach(() => {
  watch.onModuleDestroy();
  vi.useRealTimers();
});

/** A stream that never ends by itself; tells whether it has ended. */
function open(keyId: string) {
  const state = { ended: false, unsubscribe: () => {} };
  const stream = new Subject<void>().pipe(takeUntil(watch.watch(keyId)));
  const subscription = stream.subscribe({ complete: () => (state.ended = true) });
  state.unsubscribe = () => subscription.unsubscribe();
  return state;
}

describe('KeyRevocationWatcher', () => {
  it('ends only the streams of a revoked key, within a second', async () => {
    const [one, two, other] = [open('a'), open('a'), open('b')];
    await vi.advanceTimersByTimeAsync(PASS_MS);
    expect([one.ended, two.ended, other.ended]).toEqual([false, false, false]);
    valid.delete('a');
    await vi.advanceTimersByTimeAsync(PASS_MS);
    expect([one.ended, two.ended, other.ended]).toEqual([true, true, false]);
  });

  it('queries all keys once per poll, and never while no stream is open', async () => {
    const streams = [open('a'), open('a'), open('b')];
    await vi.advanceTimersByTimeAsync(PASS_MS);
    expect(polledKeys[0]).toEqual(['a', 'b']);
    for (const stream of streams) stream.unsubscribe();
    await vi.advanceTimersByTimeAsync(PASS_MS);
    polledKeys = [];
    await vi.advanceTimersByTimeAsync(10 * PASS_MS);
    expect(polledKeys).toEqual([]);
    open('b');
    await vi.advanceTimersByTimeAsync(PASS_MS);
    expect(polledKeys[0]).toEqual(['b']);
  });

  it('polls outside the async context of a request', async () => {
    // Timers that are faked run in the context of the test.
    vi.useRealTimers();
    const request = new AsyncLocalStorage<string>();
    const contexts: unknown[] = [];
    const watcher = new KeyRevocationWatcher({
      findValidKeyIds: async (ids) => {
        contexts.push(request.getStore());
        return new Set(ids);
      },
    });
    request.run('a request', () => watcher.watch('a').subscribe());
    await vi.waitFor(() => expect(contexts).toHaveLength(2), { timeout: 20_000 });
    watcher.onModuleDestroy();
    expect(contexts).toEqual([undefined, undefined]);
  });

  it('keeps streams open while the database is unavailable', async () => {
    isUnavailable = true;
    const stream = open('a');
    valid.clear();
    await vi.advanceTimersByTimeAsync(5 * PASS_MS);
    expect(stream.ended).toBe(false);
    isUnavailable = false;
    await vi.advanceTimersByTimeAsync(PASS_MS);
    expect(stream.ended).toBe(true);
  });
});
