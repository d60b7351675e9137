import { randomUUID } from 'node:crypto';
import { releaseMaintenanceLease, tryTakeMaintenanceLease } from '@app/jobs';
import type { DataSource } from 'typeorm';

/** Runs once an interval for the whole installation, however often programs start. After a failure it is due again. */
export class OncePerIntervalTask {
  constructor(
    private readonly dataSource: DataSource,
    private readonly name: string,
    private readonly intervalSeconds: number,
    private readonly run: (stop: AbortSignal) => Promise<void>,
  ) {}

  async runIfDue(stop: AbortSignal): Promise<void> {
    const holder = randomUUID();
    if (!(await tryTakeMaintenanceLease(this.dataSource, this.name, holder, this.intervalSeconds))) return;
    try {
      await this.run(stop);
    } catch (error) {
      await releaseMaintenanceLease(this.dataSource, this.name, holder);
      throw error;
    }
  }
}
