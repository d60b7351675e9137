import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChildProgram } from './child-program.js';

/** Of a program that was made, or (without a pid) that the system refused to make. */
class FakeProcess extends EventEmitter {
  exitCode: number | null = null;
  signalCode: string | null = null;
  constructor(readonly pid?: number) {
    super();
  }
}

let children: FakeProcess[];
const events = { ready: vi.fn(), failedToStart: vi.fn(), restarting: vi.fn() };
const launched = (...pids: (number | undefined)[]) => {
  children = pids.map((pid) => new FakeProcess(pid));
  const left = [...children];
  const child = new ChildProgram('api', events, () => left.shift() as unknown as ChildProcess);
  child.start();
  return child;
};
const refusal = Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' });

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
});
afterEach(() => vi.useRealTimers());

describe('a program that the system cannot spawn', () => {
  it('is reported as failed to start the first time and needs no stopping', async () => {
    const child = launched(undefined);
    children[0]?.emit('error', refusal);
    expect(events.failedToStart).toHaveBeenCalledWith('api', null);
    await child.stop(1_000);
  });

  it('is restarted with a delay after it was ready once', () => {
    launched(1, undefined, 2);
    children[0]?.emit('message', { ready: true });
    children[0]?.emit('exit', null, 'SIGKILL');
    vi.runOnlyPendingTimers();
    children[1]?.emit('error', refusal);
    expect(events.restarting).toHaveBeenLastCalledWith('api', 'EAGAIN', 1_000);
    vi.runOnlyPendingTimers();
    children[2]?.emit('message', { ready: true });
    expect(events.failedToStart).not.toHaveBeenCalled();
  });
});

it('an undelivered IPC message does not count as the end of a program', () => {
  launched(1);
  children[0]?.emit('error', new Error('channel closed'));
  expect(events.failedToStart).not.toHaveBeenCalled();
  expect(events.restarting).not.toHaveBeenCalled();
});
