import { Inject, Injectable } from '@nestjs/common';
import { pingDatabase } from '@app/database';
import { StageQueues } from '@app/jobs';
import { OBJECT_STORE_TOKEN, type ObjectStore } from '@app/storage';
import { type HealthIndicatorFunction, HealthIndicatorService } from '@nestjs/terminus';
import { DataSource } from 'typeorm';
import {
  CachedDependencyCheck,
  type DependencyState,
  type CachedDependencyCheckTimings,
} from './cached-dependency-check.js';
import { Gauge, type Registry } from 'prom-client';
import { METRICS_REGISTRY_TOKEN } from './metrics.controller.js';

/** Longer than a caller waits for a probe, so that an unresponsive connection is closed. */
const DATABASE_TIMEOUT_MS = 4_000;

interface Dependency {
  probe: CachedDependencyCheck;
  /** The program is not ready without it. */
  required: boolean;
  /** Shown by readiness when the check rejects. */
  message: string;
}

const NO_ANSWER_MESSAGE = 'does not answer';

/**
 * Only Postgres is required: without the queue, jobs wait, and without the object store, only requests that
 * need objects fail. Failing readiness for these would make a proxy stop routing to every API.
 */
@Injectable()
export class DependencyHealthRegistry {
  private readonly dependencies = new Map<string, Dependency>();
  private readonly degradedMessages = new Map<string, string>();
  private draining = false;

  constructor(
    private readonly indicators: HealthIndicatorService,
    dataSource: DataSource,
    queue: StageQueues,
    @Inject(OBJECT_STORE_TOKEN) store: ObjectStore,
  ) {
    this.registerRequiredCheck('database', () => pingDatabase(dataSource, DATABASE_TIMEOUT_MS));
    this.registerOptionalCheck('queue', () => queue.ping());
    this.registerOptionalCheck('storage', () => store.ping());
  }

  /** The program is not ready while the check rejects. */
  registerRequiredCheck(name: string, check: () => Promise<unknown>): void {
    this.dependencies.set(name, {
      probe: new CachedDependencyCheck(check),
      required: true,
      message: NO_ANSWER_MESSAGE,
    });
  }

  /** The program is degraded while the check rejects. */
  registerOptionalCheck(
    name: string,
    check: () => Promise<unknown>,
    message = NO_ANSWER_MESSAGE,
    timings?: CachedDependencyCheckTimings,
  ): void {
    this.dependencies.set(name, {
      probe: new CachedDependencyCheck(check, timings),
      required: false,
      message,
    });
  }

  /** The program stays ready. @param message null ends the degraded state */
  setDegradedMessage(name: string, message: string | null): void {
    if (message === null) this.degradedMessages.delete(name);
    else this.degradedMessages.set(name, message);
  }

  startDraining(): void {
    this.draining = true;
  }

  /** By dependency name. */
  async readStates(): Promise<Record<string, DependencyState>> {
    const states = [...this.dependencies].map(async ([name, { probe }]) => [name, await probe.readState()]);
    return Object.fromEntries(await Promise.all(states)) as Record<string, DependencyState>;
  }

  /** Failing required dependencies are `down`, others `degraded`. */
  buildHealthIndicators(): HealthIndicatorFunction[] {
    const checks = [...this.dependencies].map(([name, { probe, required, message }]) => async () => {
      const indicator = this.indicators.check(name);
      if ((await probe.readState()) === 'up') return indicator.up();
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

/** The readiness states, for alerts. */
@Injectable()
export class DependencyMetrics {
  constructor(@Inject(METRICS_REGISTRY_TOKEN) registry: Registry, health: DependencyHealthRegistry) {
    const up: Gauge<'dependency'> = new Gauge({
      name: 'zephyr_dependency_up',
      help: '1 if this process can use the dependency, otherwise 0.',
      labelNames: ['dependency'],
      registers: [registry],
      collect: async () => {
        for (const [dependency, state] of Object.entries(await health.readStates()))
          up.set({ dependency }, state === 'up' ? 1 : 0);
      },
    });
  }
}
