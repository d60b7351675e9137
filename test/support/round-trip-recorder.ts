import { AsyncLocalStorage } from 'node:async_hooks';
import { Redis } from 'ioredis';
import pg from 'pg';

export interface RoundTrip {
  /** Label of `within`, or `other`. */
  step: string;
  server: 'Postgres' | 'Redis';
  /** First words of the statement, or the name of the command. */
  text: string;
}

const SHOWN_CHARACTERS = 110;

type Send = (this: unknown, ...args: never[]) => unknown;

/**
 * Records every statement that the driver sends to Postgres and every command to Redis, in this process. A pipeline of
 * commands is one round trip. Patches the drivers, so connections must be opened after `start`.
 */
export class RoundTripRecorder {
  private readonly steps = new AsyncLocalStorage<string>();
  private readonly patches: (() => void)[] = [];
  private recorded: RoundTrip[] = [];

  start(): void {
    const pipelines = new WeakSet<object>();
    this.patch(pg.Client.prototype, 'query', ([query]) => {
      const text = typeof query === 'string' ? query : (query as { text?: string }).text;
      this.record('Postgres', text ?? 'cursor');
    });
    this.patch(Redis.prototype, 'sendCommand', ([command, pipeline]) => {
      if (pipeline !== undefined && pipelines.has(pipeline as object)) return;
      if (pipeline !== undefined) pipelines.add(pipeline as object);
      const { name, args } = command as { name: string; args: unknown[] };
      const isScript = name === 'evalsha' || name === 'eval';
      this.record('Redis', isScript ? `${name} ${String(args[0]).slice(0, 12)}` : name);
    });
  }

  /** Labels the round trips of the work, and of the timers and connections that it opens. */
  within<T>(step: string, work: () => T): T {
    return this.steps.run(step, work);
  }

  /** @returns the round trips since the last call */
  take(): RoundTrip[] {
    const taken = this.recorded;
    this.recorded = [];
    return taken;
  }

  stop(): void {
    for (const undo of this.patches.splice(0)) undo();
  }

  private record(server: RoundTrip['server'], text: string): void {
    const step = this.steps.getStore() ?? 'other';
    this.recorded.push({
      step,
      server,
      text: text.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN_CHARACTERS),
    });
  }

  private patch(prototype: object, method: string, onCall: (args: unknown[]) => void): void {
    const methods = prototype as Record<string, Send>;
    const original = methods[method] as Send;
    methods[method] = function patched(this: unknown, ...args: never[]) {
      onCall(args);
      return original.apply(this, args);
    };
    this.patches.push(() => void (methods[method] = original));
  }
}

/** One line for each round trip, grouped by step. */
export function describeRoundTrips(roundTrips: readonly RoundTrip[]): string {
  const steps = [...new Set(roundTrips.map(({ step }) => step))];
  return steps
    .map((step) => {
      const own = roundTrips.filter((each) => each.step === step);
      return [`${step}: ${own.length}`, ...own.map(({ server, text }) => `  ${server}: ${text}`)].join('\n');
    })
    .join('\n');
}
