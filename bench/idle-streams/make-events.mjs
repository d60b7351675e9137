import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { moment } from './moment.mjs';

const CONNECTIONS = 4;
/**
 * Events that are committed together. Postgres commits what announces something one after the other, each waiting for the
 * disk: one at a time, the disk would be what is measured.
 */
const TOGETHER = 10;
/** What `countStep` and `appendEvent` write, in one statement. */
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
    // The database ends before us when the measuring is interrupted.
    this.pool.on('error', () => undefined);
  }

  /**
   * One event of each job, so many a second. What is late for its moment is made at once.
   *
   * @param {string[]} jobs ids @param {number} perSecond
   * @returns {Promise<{ perSecond: number, times: number[] }>} what was reached; milliseconds that each commit took
   */
  async make(jobs, perSecond) {
    const began = moment();
    const commits = [];
    for (let from = 0; from < jobs.length; from += TOGETHER) {
      const due = began + (from * 1_000) / perSecond;
      if (due > moment()) await pause(due - moment());
      commits.push(this.#commit(jobs.slice(from, from + TOGETHER)));
    }
    const times = await Promise.all(commits);
    return { perSecond: (jobs.length * 1_000) / (moment() - began), times };
  }

  async #commit(ids) {
    const madeAt = moment();
    const data = { completed: 1, total: 1_000_000, step: 'chunk:0', made_at: madeAt };
    await this.pool.query({ ...COUNT_STEPS, values: [ids, JSON.stringify(data)] });
    return moment() - madeAt;
  }

  async close() {
    await this.pool.end();
  }
}
