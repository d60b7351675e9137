import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { getExitCode, InterruptedError } from './errors.js';
import { Interruption, type SignalledProcess } from './interruption.js';

class FakeProcess extends EventEmitter implements SignalledProcess {
  readonly pid = 7;
  readonly calls: string[] = [];
  exitCode: number | undefined;

  /** As the kernel does: a signal that nobody handles ends the process. */
  kill(pid: number, signal: NodeJS.Signals): void {
    this.calls.push(this.listenerCount(signal) > 0 ? `handle ${signal}` : `kill ${pid} ${signal}`);
  }

  exit(code?: number): void {
    this.calls.push(`exit ${code ?? this.exitCode}`);
  }
}

function interrupt(...signals: NodeJS.Signals[]) {
  const process = new FakeProcess();
  const interruption = new Interruption(process);
  for (const signal of signals) process.emit(signal, signal);
  return { process, interruption, reason: interruption.signal.reason as unknown };
}

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s', (signal, code) => {
  it(`interrupts the command, which then has the exit code ${code}`, () => {
    const { process, reason } = interrupt(signal);
    expect(reason).toBeInstanceOf(InterruptedError);
    expect(getExitCode(reason)).toBe(code);
    expect(process.calls).toEqual([]);
  });
});

describe('a second signal', () => {
  it('ends the program at once if it is Ctrl-C', () => {
    expect(interrupt('SIGINT', 'SIGINT').process.calls).toEqual(['exit 130']);
    expect(interrupt('SIGTERM', 'SIGINT').process.calls).toEqual(['exit 130']);
  });

  // `timeout` and terminals send theirs to the program and to its group.
  it('changes nothing if it comes from a program', () => {
    const { process, reason } = interrupt('SIGTERM', 'SIGTERM', 'SIGHUP', 'SIGHUP');
    expect(process.calls).toEqual([]);
    expect(getExitCode(reason)).toBe(143);
  });
});

describe('the end of the program', () => {
  it.each(['SIGTERM', 'SIGHUP'] as const)('is that by %s, which service managers expect', (signal) => {
    const { process, interruption, reason } = interrupt(signal);
    process.exitCode = getExitCode(reason);
    interruption.endProcess();
    // The exit is for the first process of a container, which no unhandled signal ends.
    expect(process.calls).toEqual([`kill 7 ${signal}`, `exit ${getExitCode(reason)}`]);
  });

  it.each([
    ['was not interrupted', [], 1],
    ['was done before it heard of the signal', ['SIGTERM'], 0],
    ['was interrupted with Ctrl-C', ['SIGINT'], 130],
  ] as const)('has the exit code of a command that %s', (_, signals, code) => {
    const { process, interruption } = interrupt(...signals);
    process.exitCode = code;
    interruption.endProcess();
    expect(process.calls).toEqual([`exit ${code}`]);
  });
});
