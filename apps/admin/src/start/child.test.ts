import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Child } from './child.js';

/** Of a program that was made, or (without a pid) that the system refused to make. */
class FakeProcess extends EventEmitter {
  exitCode: number | null = null;
  signalCode: string | null = null;
  constructor(readonly pid?: number) {
    super();
  }
}

let made: FakeProcess[];
const events = { ready: vi.fn(), stillborn: vi.fn(), restarting: vi.fn() };
const launched = (...pids: (number | undefined)[]) => {
  made = pids.map((pid) => new FakeProcess(pid));
  const left = [...made];
  const child = new Child('api', events, () => left.shift() as unknown as ChildProcess);
  child.start();
  return child;
};
const refusal = Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' });

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
});
afterEach(() => vi.useRealTimers());

describe('a program that the system refuses to make', () => {
  it('at first, is stillborn, and needs no stopping', async () => {
    const child = launched(undefined);
    made[0]?.emit('error', refusal);
    expect(events.stillborn).toHaveBeenCalledWith('api', null);
    await child.stop(1_000);
  });

  it('after it has worked, is started again after a while', () => {
    launched(1, undefined, 2);
    made[0]?.emit('message', { ready: true });
    made[0]?.emit('exit', null, 'SIGKILL');
    vi.runOnlyPendingTimers();
    made[1]?.emit('error', refusal);
    expect(events.restarting).toHaveBeenLastCalledWith('api', 'EAGAIN', 1_000);
    vi.runOnlyPendingTimers();
    made[2]?.emit('message', { ready: true });
    expect(events.stillborn).not.toHaveBeenCalled();
  });
});

it('a message that does not reach a program is no end of it', () => {
  launched(1);
  made[0]?.emit('error', new Error('channel closed'));
  expect(events.stillborn).not.toHaveBeenCalled();
  expect(events.restarting).not.toHaveBeenCalled();
});
