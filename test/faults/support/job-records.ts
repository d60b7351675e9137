import type pg from 'pg';
import { findInvariantViolations } from '../../support/invariants/find-invariant-violations.js';
import type { ObservationRecorder } from '../../support/invariants/observation-recorder.js';
import type { StoredObjects } from '../../support/invariants/stored-objects.js';
import { until } from '../../e2e/support/until.js';

const INVARIANTS_MS = 90_000;

/** What a service under test has recorded: the rows and objects of its jobs, read without code of the service. */
export class JobRecords {
  constructor(
    private readonly database: pg.Pool,
    private readonly stored: StoredObjects,
  ) {}

  async queryRows<T extends pg.QueryResultRow>(sql: string, ...params: unknown[]): Promise<T[]> {
    return (await this.database.query<T>(sql, params)).rows;
  }

  /** @returns the seconds until every job had ended */
  async waitUntilAllEnded(withinMs: number): Promise<number> {
    const startedAt = performance.now();
    await until(
      'every job has ended',
      async () =>
        (await this.queryRows(`SELECT id FROM job WHERE status = 'processing' LIMIT 1`)).length === 0,
      withinMs,
    ).catch(async (error: unknown) => {
      throw new Error(`not every job has ended:\n${await this.describeOpenStages()}`, { cause: error });
    });
    return (performance.now() - startedAt) / 1_000;
  }

  /** Polls until there are no violations, because sweeps and deliveries need time to end. */
  async findInvariantViolations(observations?: ObservationRecorder): Promise<string[]> {
    const { database, stored } = this;
    const inputs = { database, stored, ...(observations && { observations }) };
    const findViolations = () => findInvariantViolations(inputs);
    await until(
      'every invariant holds',
      async () => (await findViolations()).length === 0,
      INVARIANTS_MS,
    ).catch(() => []);
    return findViolations();
  }

  /** Describes the open stages of jobs that have not ended. */
  private async describeOpenStages(): Promise<string> {
    const open = await this.queryRows<{ line: string }>(
      `SELECT count(*) || ' ' || COALESCE(queue || ' ' || state, 'not queued') || ', fence ' || COALESCE(min(fence), 0) ||
         ' to ' || COALESCE(max(fence), 0) || ', due since ' || COALESCE(now() - min(due_at), '0') AS line
       FROM job LEFT JOIN job_stage stage ON job_id = id AND state IN ('pending', 'running')
       WHERE status = 'processing' GROUP BY queue, state
       UNION ALL SELECT count(*) || ' not yet sent to the queue' FROM outbox`,
    );
    return open.map(({ line }) => line).join('\n');
  }
}
