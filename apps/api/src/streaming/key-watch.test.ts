import { AsyncLocalStorage } from 'node:async_hooks';
import { takeUntil, Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KeyWatch } from './key-watch.js';

const PASS_MS = 1_000;

let valid: Set<string>;
let asked: string[][];
let away: boolean;
let watch: KeyWatch;

beforeEach(() => {
  vi.useFakeTimers();
  [valid, asked, away] = [new Set(['a', 'b']), [], false];
  watch = new KeyWatch({
    findValidKeyIds: (ids) => {
      asked.push([...ids]);
      return away
        ? Promise.reject(new Error('away'))
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
  const state = { ended: false, leave: () => {} };
  const stream = new Subject<void>().pipe(takeUntil(watch.revocation(keyId)));
  const subscription = stream.subscribe({ complete: () => (state.ended = true) });
  state.leave = () => subscription.unsubscribe();
  return state;
}

describe('the watch over the keys of streams', () => {
  it('ends every stream of a revoked key within a second, and no other', async () => {
    const [one, two, other] = [open('a'), open('a'), open('b')];
    await vi.advanceTimersByTimeAsync(PASS_MS);
    expect([one.ended, two.ended, other.ended]).toEqual([false, false, false]);
    valid.delete('a');
    await vi.advanceTimersByTimeAsync(PASS_MS);
    expect([one.ended, two.ended, other.ended]).toEqual([true, true, false]);
  });

  it('asks once a pass for all keys, and not at all when no stream is open', async () => {
    const streams = [open('a'), open('a'), open('b')];
    await vi.advanceTimersByTimeAsync(PASS_MS);
    expect(asked[0]).toEqual(['a', 'b']);
    for (const stream of streams) stream.leave();
    await vi.advanceTimersByTimeAsync(PASS_MS);
    asked = [];
    await vi.advanceTimersByTimeAsync(10 * PASS_MS);
    expect(asked).toEqual([]);
    open('b');
    await vi.advanceTimersByTimeAsync(PASS_MS);
    expect(asked[0]).toEqual(['b']);
  });

  it('looks outside of the request whose stream it watches', async () => {
    // Timers that are faked run in the context of the test.
    vi.useRealTimers();
    const request = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const watching = new KeyWatch({
      findValidKeyIds: async (ids) => {
        seen.push(request.getStore());
        return new Set(ids);
      },
    });
    request.run('a request', () => watching.revocation('a').subscribe());
    await vi.waitFor(() => expect(seen).toHaveLength(2), { timeout: 20_000 });
    watching.onModuleDestroy();
    expect(seen).toEqual([undefined, undefined]);
  });

  it('keeps streams open while the keys cannot be asked for', async () => {
    away = true;
    const stream = open('a');
    valid.clear();
    await vi.advanceTimersByTimeAsync(5 * PASS_MS);
    expect(stream.ended).toBe(false);
    away = false;
    await vi.advanceTimersByTimeAsync(PASS_MS);
    expect(stream.ended).toBe(true);
  });
});
