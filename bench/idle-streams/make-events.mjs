import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { readSharedClockMs } from './shared-clock.mjs';

const CONNECTIONS = 4;
/**
 * Number of events per commit. Postgres serialises commits with NOTIFY, each with a disk write: with one event each, the disk
 * would be measured.
 */
const TOGETHER = 10;
/** The writes of a finished step, in one statement. */
const COUNT_STEPS = {
  name: 'count-steps',
  text: `WITH counted AS (
           UPDATE job SET steps_done = steps_done + 1, event_seq = event_seq + 1
           WHERE id = ANY($1::uuid[]) AND status = 'processing' RETURNING id, event_seq AS seq
         ), event AS (
           INSERT INTO job_event (job_id, seq, type, data) SELECT id, seq, 'progress', $2 FROM counted
         )
         SELECT pg_notify('job_event', id || ':' || seq) FROM counted`,
};

/** Writes events of jobs and announces them. */
export class EventMaker {
  /** @param {string} databaseUrl */
  constructor(databaseUrl) {
    this.pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
    // The database ends first when the benchmark is interrupted.
    this.pool.on('error', () => undefined);
  }

  /**
   * Writes one event of each job at a fixed rate. Late events are written at once.
   *
   * @param {string[]} jobs ids @param {number} perSecond
   * @returns {Promise<{ perSecond: number, times: number[] }>} what was reached; milliseconds that each commit took
   */
  async make(jobs, perSecond) {
    const began = readSharedClockMs();
    const commits = [];
    for (let from = 0; from < jobs.length; from += TOGETHER) {
      const due = began + (from * 1_000) / perSecond;
      if (due > readSharedClockMs()) await pause(due - readSharedClockMs());
      commits.push(this.#commit(jobs.slice(from, from + TOGETHER)));
    }
    const times = await Promise.all(commits);
    return { perSecond: (jobs.length * 1_000) / (readSharedClockMs() - began), times };
  }

  async #commit(ids) {
    const madeAt = readSharedClockMs();
    const data = { completed: 1, total: 1_000_000, step: 'chunk:0', made_at: madeAt };
    await this.pool.query({ ...COUNT_STEPS, values: [ids, JSON.stringify(data)] });
    return readSharedClockMs() - madeAt;
  }

  async close() {
    await this.pool.end();
  }
}
