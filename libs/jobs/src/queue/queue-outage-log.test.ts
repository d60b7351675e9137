import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QueueOutageLog } from './queue-outage-log.js';

describe('QueueOutageLog', () => {
  let lines: string[];
  let log: QueueOutageLog;

  beforeEach(() => {
    vi.useFakeTimers();
    lines = [];
    log = new QueueOutageLog('chunk', { warn: (line) => void lines.push(line) });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('logs the start and the end of an outage once, and logs the next outage again', () => {
    log.reportDown(new Error('refused'));
    log.reportDown(new Error('refused again'));
    log.reportError(new Error('something else'));
    expect(log.isDown).toBe(true);
    vi.advanceTimersByTime(2_500);
    log.reportRecovered();
    log.reportRecovered();
    expect(log.isDown).toBe(false);
    log.reportDown(new Error('reset'));
    expect(lines).toEqual([
      'chunk: queue lost: refused',
      'chunk: queue back after 2.5 s',
      'chunk: queue lost: reset',
    ]);
  });

  it('logs outside the async context of the request that noticed the error', () => {
    const request = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const noticed = new QueueOutageLog('chunk', { warn: () => void seen.push(request.getStore()) });
    request.run('a request', () => {
      noticed.reportError(new Error('missing lock'));
      noticed.reportDown(new Error('refused'));
      noticed.reportRecovered();
    });
    expect(seen).toEqual([undefined, undefined, undefined]);
  });

  it('logs the same error at most twice a minute', () => {
    for (let second = 0; second < 60; second++) {
      log.reportError(new Error('missing lock'));
      vi.advanceTimersByTime(1_000);
    }
    log.reportError(new Error('another'));
    expect(lines).toEqual(['chunk: missing lock', 'chunk: missing lock', 'chunk: another']);
  });
});
