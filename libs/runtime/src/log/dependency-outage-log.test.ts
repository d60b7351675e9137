import { Logger } from '@nestjs/common';
import { StoreUnavailableError } from '@app/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DependencyOutageLog } from './dependency-outage-log.js';
import { getCurrentLogFields, withLogFields } from './log-fields.js';

const createUnavailableError = () => new StoreUnavailableError('The disk answered EIO.');
let states: Record<string, 'up' | 'down'>;
let outages: DependencyOutageLog;
let warn: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  vi.useFakeTimers();
  states = { database: 'up', queue: 'up', storage: 'down' };
  outages = new DependencyOutageLog({ readStates: () => Promise.resolve(states) });
  warn = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  outages.onModuleDestroy();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('DependencyOutageLog', () => {
  it('logs the first failure with its cause, then the number of failed requests, then the recovery', async () => {
    for (let second = 0; second < 40; second += 1) {
      outages.reportFailedRequest(createUnavailableError());
      await vi.advanceTimersByTimeAsync(1_000);
    }
    states = { ...states, storage: 'up' };
    await vi.advanceTimersByTimeAsync(1_000);
    expect(warn.mock.calls).toEqual([
      [{ dependency: 'storage', error: createUnavailableError() }, 'dependency unavailable'],
      [{ dependency: 'storage', refused: 30, seconds: 30 }, 'dependency still unavailable'],
      [{ dependency: 'storage', refused: 40, seconds: 41 }, 'dependency available again'],
    ]);
  });

  it('logs the recovery outside the context of the request that failed', async () => {
    // Timers that are faked run in the context of the test.
    vi.useRealTimers();
    const fields: object[] = [];
    warn.mockImplementation(() => void fields.push(getCurrentLogFields()));
    withLogFields({ request_id: 'r' }, () => outages.reportFailedRequest(createUnavailableError()));
    states = { ...states, storage: 'up' };
    await vi.waitFor(() => expect(fields).toHaveLength(2), { timeout: 20_000 });
    expect(fields).toEqual([{ request_id: 'r' }, {}]);
  });

  it('logs a second outage again', async () => {
    outages.reportFailedRequest(createUnavailableError());
    states = { ...states, storage: 'up' };
    await vi.advanceTimersByTimeAsync(1_000);
    outages.reportFailedRequest(createUnavailableError());
    expect(warn.mock.calls.map((call: unknown[]) => call[1])).toEqual([
      'dependency unavailable',
      'dependency available again',
      'dependency unavailable',
    ]);
  });
});
