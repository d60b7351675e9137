import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller, SessionAccountAndRole } from '@app/auth';
import { takeUntil, Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccessRevocationWatcher } from './access-revocation-watcher.js';

const PASS_MS = 1_000;

let valid: Set<string>;
let polledKeys: string[][];
let sessions: SessionAccountAndRole[];
let polledSessions: string[][];
let isUnavailable: boolean;
let watch: AccessRevocationWatcher;

beforeEach(() => {
  vi.useFakeTimers();
  [valid, polledKeys, isUnavailable] = [new Set(['a', 'b']), [], false];
  [sessions, polledSessions] = [[{ sessionId: 's', accountId: 'x', role: 'member' }], []];
  watch = new AccessRevocationWatcher(
    {
      findValidKeyIds: (ids) => {
        polledKeys.push([...ids]);
        return isUnavailable
          ? Promise.reject(new Error('unavailable'))
          : Promise.resolve(new Set(ids.filter((id) => valid.has(id))));
      },
    },
    {
      findAccess: async (ids) => {
        polledSessions.push([...ids]);
        return sessions.filter(({ sessionId }) => ids.includes(sessionId));
      },
    },
  );
});
afterEach(() => {
  watch.onModuleDestroy();
  vi.useRealTimers();
});

/** A stream that never ends by itself; tells whether it has ended. */
function open(keyId: string) {
  return openAs({ accountId: 'x', keyId });
}

function openInSession() {
  return openAs({
    accountId: 'x',
    keyId: null,
    userId: 'u',
    email: 'u@example.org',
    sessionId: 's',
    role: 'member',
  });
}

function openAs(caller: Caller) {
  const state = { ended: false, unsubscribe: () => {} };
  const stream = new Subject<void>().pipe(takeUntil(watch.watch(caller)));
  const subscription = stream.subscribe({ complete: () => (state.ended = true) });
  state.unsubscribe = () => subscription.unsubscribe();
  return state;
}

describe('AccessRevocationWatcher', () => {
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

  it.each<[string, () => void]>([
    ['has ended', () => (sessions = [])],
    ['shows another account', () => (sessions = [{ sessionId: 's', accountId: 'y', role: 'member' }])],
    ['has another role', () => (sessions = [{ sessionId: 's', accountId: 'x', role: 'viewer' }])],
  ])('ends the streams of a session that %s, within a second, and no others', async (_, change) => {
    const [stream, other] = [openInSession(), open('a')];
    await vi.advanceTimersByTimeAsync(PASS_MS);
    expect([stream.ended, other.ended]).toEqual([false, false]);
    change();
    await vi.advanceTimersByTimeAsync(PASS_MS);
    expect([stream.ended, other.ended]).toEqual([true, false]);
  });

  it('queries sessions only while a session has a stream', async () => {
    const stream = openInSession();
    await vi.advanceTimersByTimeAsync(PASS_MS);
    expect(polledSessions[0]).toEqual(['s']);
    expect(polledKeys).toEqual([]);
    stream.unsubscribe();
    open('a');
    polledSessions = [];
    await vi.advanceTimersByTimeAsync(PASS_MS);
    expect(polledSessions).toEqual([]);
  });

  it('polls outside the async context of a request', async () => {
    // Timers that are faked run in the context of the test.
    vi.useRealTimers();
    const request = new AsyncLocalStorage<string>();
    const contexts: unknown[] = [];
    const findValidKeyIds = async (ids: readonly string[]) => {
      contexts.push(request.getStore());
      return new Set(ids);
    };
    const watcher = new AccessRevocationWatcher({ findValidKeyIds }, { findAccess: async () => [] });
    request.run('a request', () => watcher.watch({ accountId: 'x', keyId: 'a' }).subscribe());
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
