import { Inject, Injectable } from '@nestjs/common';
import { pingDatabase } from '@app/database';
import { JobQueue } from '@app/jobs';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { type HealthIndicatorFunction, HealthIndicatorService } from '@nestjs/terminus';
import { DataSource } from 'typeorm';
import { DependencyProbe, type DependencyState, type ProbeTimings } from './dependency-probe.js';

/** Milliseconds; longer than a probe is waited for, so that a connection that fell silent is given up. */
const DATABASE_TIMEOUT_MS = 4_000;

interface Dependency {
  probe: DependencyProbe;
  /** Without it the program is not ready. */
  required: boolean;
  /** What readiness says when the check rejects. */
  message: string;
}

const NO_ANSWER_MESSAGE = 'does not answer';

/**
 * Whether the program is ready, and what it depends on. Requests can be answered as long as Postgres can be reached:
 * without the queue jobs wait, and without the object store only what needs bytes is refused. A proxy that turned away
 * from every API for either would turn it into a whole outage.
 */
@Injectable()
export class DependencyHealth {
  private readonly dependencies = new Map<string, Dependency>();
  private readonly degradedMessages = new Map<string, string>();
  private draining = false;

  constructor(
    private readonly indicators: HealthIndicatorService,
    dataSource: DataSource,
    queue: JobQueue,
    @Inject(OBJECT_STORE) store: ObjectStore,
  ) {
    this.require('database', () => pingDatabase(dataSource, DATABASE_TIMEOUT_MS));
    this.dependencies.set('queue', {
      probe: new DependencyProbe(() => queue.ping()),
      required: false,
      message: NO_ANSWER_MESSAGE,
    });
    this.dependencies.set('storage', {
      probe: new DependencyProbe(() => store.ping()),
      required: false,
      message: NO_ANSWER_MESSAGE,
    });
  }

  /** One thing more without which the program is not ready; down when the check rejects. */
  require(name: string, check: () => Promise<unknown>): void {
    this.dependencies.set(name, {
      probe: new DependencyProbe(check),
      required: true,
      message: NO_ANSWER_MESSAGE,
    });
  }

  /** One thing more without which the program is degraded, with this message when the check rejects. */
  expect(name: string, check: () => Promise<unknown>, message: string, timings?: ProbeTimings): void {
    this.dependencies.set(name, { probe: new DependencyProbe(check, timings), required: false, message });
  }

  /** Something that readiness names as degraded until it is null: the program is ready all the same. */
  note(name: string, message: string | null): void {
    if (message === null) this.degradedMessages.delete(name);
    else this.degradedMessages.set(name, message);
  }

  /** From now on the program is not ready, as it is about to end. */
  drain(): void {
    this.draining = true;
  }

  /** By name. */
  async states(): Promise<Record<string, DependencyState>> {
    const states = [...this.dependencies].map(async ([name, { probe }]) => [name, await probe.state()]);
    return Object.fromEntries(await Promise.all(states)) as Record<string, DependencyState>;
  }

  /** One health indicator a dependency: what is required is `down` when it does not answer, anything else `degraded`. */
  healthIndicators(): HealthIndicatorFunction[] {
    const checks = [...this.dependencies].map(([name, { probe, required, message }]) => async () => {
      const indicator = this.indicators.check(name);
      if ((await probe.state()) === 'up') return indicator.up();
      return required ? indicator.down(message) : indicator.degraded(message);
    });
    const notes = [...this.degradedMessages].map(
      ([name, message]) =>
        async () =>
          this.indicators.check(name).degraded(message),
    );
    const draining = async () => this.indicators.check('process').down('is being stopped');
    return this.draining ? [...checks, ...notes, draining] : [...checks, ...notes];
  }
}
