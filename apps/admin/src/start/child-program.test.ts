import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RestartingChildProgram } from './child-program.js';

/** The process of a program; without a pid, one that the system could not spawn. */
class FakeProcess extends EventEmitter {
  exitCode: number | null = null;
  signalCode: string | null = null;
  constructor(readonly pid?: number) {
    super();
  }
}

let children: FakeProcess[];
const events = { ready: vi.fn(), failedToStart: vi.fn(), restarting: vi.fn() };
const launch = (...pids: (number | undefined)[]) => {
  children = pids.map((pid) => new FakeProcess(pid));
  const remaining = [...children];
  const child = new RestartingChildProgram('api', events, () => remaining.shift() as unknown as ChildProcess);
  child.start();
  return child;
};
const spawnError = Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' });

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
});
afterEach(() => vi.useRealTimers());

describe('a program that the system cannot spawn', () => {
  it('is reported as failed to start the first time and needs no stopping', async () => {
    const child = launch(undefined);
    children[0]?.emit('error', spawnError);
    expect(events.failedToStart).toHaveBeenCalledWith('api', null);
    await child.stop(1_000);
  });

  it('is restarted with a delay after it was ready once', () => {
    launch(1, undefined, 2);
    children[0]?.emit('message', { ready: true });
    children[0]?.emit('exit', null, 'SIGKILL');
    vi.runOnlyPendingTimers();
    children[1]?.emit('error', spawnError);
    expect(events.restarting).toHaveBeenLastCalledWith('api', 'EAGAIN', 1_000);
    vi.runOnlyPendingTimers();
    children[2]?.emit('message', { ready: true });
    expect(events.failedToStart).not.toHaveBeenCalled();
  });
});

it('an undelivered IPC message does not count as the end of a program', () => {
  launch(1);
  children[0]?.emit('error', new Error('channel closed'));
  expect(events.failedToStart).not.toHaveBeenCalled();
  expect(events.restarting).not.toHaveBeenCalled();
});
