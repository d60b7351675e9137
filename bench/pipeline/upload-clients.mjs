import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Client } from 'undici';
import { sendRequest } from '../lib/http-load.mjs';
import { sendGeneratedBody } from '../lib/send-generated-body.mjs';

const CLIENTS = 16;
const POLL_INTERVAL_MS = 20;
const AUDIO_BYTES = 1_000;

/** Each client sends requests sequentially. The end of jobs is read from the database. */
export class UploadClients {
  /** @param {string} origin @param {string} key @param {string} databaseUrl */
  constructor(origin, key, databaseUrl) {
    this.clients = Array.from({ length: CLIENTS }, () => new Client(origin));
    this.headers = { 'x-api-key': key, 'content-type': 'application/json' };
    this.database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    // The database ends first when the benchmark is interrupted.
    this.database.on('error', () => undefined);
  }

  /** Creates jobs and uploads their audio, without completing them. @param {number} count @returns {Promise<string[]>} ids */
  async upload(count) {
    const jobs = [];
    await this.#runConcurrently(Array.from({ length: count }), async (client) => {
      const body = { file_size: AUDIO_BYTES, speaker_labels: false };
      const { job_id, upload_url, content_type } = await this.#postJson(client, 'upload', body);
      const headers = { 'content-type': content_type };
      await sendGeneratedBody({ method: 'PUT', address: upload_url, headers, bytes: AUDIO_BYTES });
      jobs.push(job_id);
    });
    return jobs;
  }

  /** @param {string[]} jobs @returns {Promise<void>} when all of them have completed */
  async complete(jobs) {
    await this.#runConcurrently(jobs, (client, job_id) =>
      this.#postJson(client, 'upload/complete', { job_id }),
    );
    for (;;) {
      const { rows } = await this.database.query(
        `SELECT count(*) FILTER (WHERE status = 'completed') AS done, count(*) FILTER (WHERE status = 'failed') AS failed
         FROM job WHERE id = ANY($1::uuid[])`,
        [jobs],
      );
      if (rows[0].failed > 0) throw new Error(`${rows[0].failed} jobs have failed`);
      if (Number(rows[0].done) === jobs.length) return;
      await pause(POLL_INTERVAL_MS);
    }
  }

  async close() {
    await Promise.all(this.clients.map((client) => client.close()));
    await this.database.end();
  }

  /** @template T @param {T[]} items @param {(client: Client, item: T) => Promise<void>} work */
  async #runConcurrently(items, work) {
    const pending = [...items];
    await Promise.all(
      this.clients.map(async (client) => {
        while (pending.length > 0) await work(client, pending.pop());
      }),
    );
  }

  async #postJson(client, route, body) {
    const request = {
      ...{ method: 'POST', path: `/api/v1/${route}` },
      ...{ headers: this.headers, body: JSON.stringify(body) },
    };
    return JSON.parse(await sendRequest(client, request));
  }
}
