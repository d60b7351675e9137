import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const INTERVAL_MS = 50;
/** Of APIs and processors: their pools, and the queues in Postgres. */
const NAMES = ['zephyr-api', 'zephyr-processor', 'zephyr-bench', 'zephyr-queue'];

/** Counts the connections that programs have to a database until it is stopped. */
export class ConnectionCounter {
  #most = 0;
  #isStopped = false;

  /** @param {string} databaseUrl */
  static async start(databaseUrl) {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'connection-counter' });
    await client.connect();
    const counter = new ConnectionCounter();
    counter.finished = counter.#count(client);
    return counter;
  }

  /** @returns {Promise<number>} the most at a time */
  async stop() {
    this.#isStopped = true;
    await this.finished;
    return this.#most;
  }

  /** @param {pg.Client} client */
  async #count(client) {
    try {
      while (!this.#isStopped) {
        const { rows } = await client.query(
          'SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = ANY($1)',
          [NAMES],
        );
        this.#most = Math.max(this.#most, rows[0].open);
        await pause(INTERVAL_MS);
      }
    } finally {
      await client.end();
    }
  }
}
