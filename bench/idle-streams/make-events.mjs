import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { readSharedClockMs } from './shared-clock.mjs';

const CONNECTIONS = 4;
/**
 * Postgres serialises commits with NOTIFY, each with a disk write. With one event per commit the disk would be measured.
 */
const EVENTS_PER_COMMIT = 10;
/** The writes of a finished step, in one statement. */
const INSERT_EVENTS = {
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
export class EventWriter {
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
   * @returns {Promise<{ perSecond: number, times: number[] }>} the actual rate; milliseconds of each commit
   */
  async writeEvents(jobs, perSecond) {
    const startedAt = readSharedClockMs();
    const commits = [];
    for (let from = 0; from < jobs.length; from += EVENTS_PER_COMMIT) {
      const dueAt = startedAt + (from * 1_000) / perSecond;
      if (dueAt > readSharedClockMs()) await pause(dueAt - readSharedClockMs());
      commits.push(this.#commit(jobs.slice(from, from + EVENTS_PER_COMMIT)));
    }
    const times = await Promise.all(commits);
    return { perSecond: (jobs.length * 1_000) / (readSharedClockMs() - startedAt), times };
  }

  async #commit(ids) {
    const madeAt = readSharedClockMs();
    const data = { completed: 1, total: 1_000_000, step: 'chunk:0', made_at: madeAt };
    await this.pool.query({ ...INSERT_EVENTS, values: [ids, JSON.stringify(data)] });
    return readSharedClockMs() - madeAt;
  }

  async close() {
    await this.pool.end();
  }
}
