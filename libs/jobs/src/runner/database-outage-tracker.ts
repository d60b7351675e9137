import { pingDatabase } from '@app/database';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

const PROBE_INTERVAL_MS = 250;
const PROBE_TIMEOUT_MS = 2_000;

/** An outage of the database as this process sees it: it begins with a failed statement and is over when a probe succeeds. */
export class DatabaseOutageTracker {
  private over: Promise<void> | undefined;
  private begun = new AbortController();

  constructor(private readonly dataSource: DataSource) {}

  /** Aborted when the present outage, or else the next one, begins. */
  get signal(): AbortSignal {
    return this.begun.signal;
  }

  /** Call it after a statement that failed. @returns resolves when the outage is over */
  begin(): Promise<void> {
    this.begun.abort();
    this.over ??= this.waitUntilOver();
    return this.over;
  }

  /** Does not keep the process alive. */
  private async waitUntilOver(): Promise<void> {
    do await pause(PROBE_INTERVAL_MS, undefined, { ref: false });
    while (this.dataSource.isInitialized && !(await this.isAvailable()));
    this.over = undefined;
    this.begun = new AbortController();
  }

  private isAvailable(): Promise<boolean> {
    return pingDatabase(this.dataSource, PROBE_TIMEOUT_MS).then(
      () => true,
      () => false,
    );
  }
}
