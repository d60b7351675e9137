import { Inject, Injectable } from '@nestjs/common';
import { poolOf } from '@app/database';
import { JOB_QUEUE, type JobQueue } from '@app/jobs';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { type HealthIndicatorFunction, HealthIndicatorService } from '@nestjs/terminus';
import { DataSource } from 'typeorm';

const CHECK_WITHIN_MS = 3_000;

/** Asks everything the process cannot work without: what every program needs, and what one adds. */
@Injectable()
export class DependencyHealth {
  private readonly probes: Record<string, () => Promise<unknown>>;

  constructor(
    @Inject(HealthIndicatorService) private readonly indicators: HealthIndicatorService,
    @Inject(DataSource) dataSource: DataSource,
    @Inject(JOB_QUEUE) queue: JobQueue,
    @Inject(OBJECT_STORE) store: ObjectStore,
  ) {
    this.probes = {
      database: () => poolOf(dataSource).query('SELECT 1'),
      queue: () => queue.ping(),
      storage: () => store.ping(),
    };
  }

  /** One thing more that the process needs to do its work; down when the probe rejects. */
  watch(name: string, probe: () => Promise<unknown>): void {
    this.probes[name] = probe;
  }

  checks(): HealthIndicatorFunction[] {
    return Object.entries(this.probes).map(([name, probe]) => async () => {
      const indicator = this.indicators.check(name);
      try {
        await within(CHECK_WITHIN_MS, probe());
        return indicator.up();
      } catch {
        return indicator.down('does not answer');
      }
    });
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
