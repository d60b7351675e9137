import { openAsBlob } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { UserFacingError } from '../user-facing-error.mjs';
import { parseServerSentEvents } from './server-sent-events.mjs';

const MAX_RECONNECTS = 5;

export class DemoClient {
  /** @param {string} base URL of the service @param {string} key @param {AbortSignal} signal */
  constructor(base, key, signal) {
    this.base = base;
    this.key = key;
    this.signal = signal;
  }

  /**
   * Creates a job and uploads the file.
   *
   * @param {string} file @param {Record<string, unknown>} [options] of the job, besides its format
   * @returns {Promise<string>} the job's id
   */
  async upload(file, options = {}) {
    const bytes = await openAsBlob(file).catch(() => {
      throw new UserFacingError(`The file ${file} cannot be read.`);
    });
    const job = await this.#requestJson('POST', '/api/v1/upload', {
      ...options,
      file_size: bytes.size,
      output_type: 'json',
    });
    const put = await this.#fetch(job.upload_url, {
      method: 'PUT',
      headers: { 'content-type': job.content_type },
      body: bytes,
    });
    await assertOk(put, 'The upload');
    await this.#requestJson('POST', '/api/v1/upload/complete', { job_id: job.job_id });
    return job.job_id;
  }

  /**
   * Follows a job to its end, and resumes an interrupted stream.
   *
   * @param {string} job
   * @param {(progress: { completed: number, total: number, step: string }) => void} onProgress
   * @returns {Promise<{ download_url: string }>} the completed event
   * @throws UserFacingError with the reason of a failed job
   */
  async follow(job, onProgress) {
    let lastId = '';
    for (let attempt = 0; attempt <= MAX_RECONNECTS; attempt++) {
      if (attempt > 0) await pause(500 * attempt, undefined, { signal: this.signal });
      const headers = { 'x-api-key': this.key, ...(lastId && { 'last-event-id': lastId }) };
      try {
        const response = await this.#fetch(`${this.base}/api/v1/jobs/${job}/stream`, { headers });
        await assertOk(response, 'The job stream');
        for await (const { id, event, data } of parseServerSentEvents(response.body)) {
          lastId = id;
          if (event === 'progress') onProgress(JSON.parse(data));
          if (event === 'completed') return JSON.parse(data);
          if (event === 'failed') throw new UserFacingError(formatFailure(JSON.parse(data)));
        }
      } catch (error) {
        if (error instanceof UserFacingError || this.signal.aborted) throw error;
      }
    }
    throw new UserFacingError(`The job stream was interrupted ${MAX_RECONNECTS + 1} times.`);
  }

  /** @param {string} address */
  async download(address) {
    const response = await this.#fetch(address, {});
    await assertOk(response, 'The download');
    return response.json();
  }

  /** @param {string} method @param {string} path @param {unknown} body */
  async #requestJson(method, path, body) {
    const headers = { 'x-api-key': this.key, 'content-type': 'application/json' };
    const response = await this.#fetch(`${this.base}${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    await assertOk(response, `${method} ${path}`);
    return response.json();
  }

  /** @param {string} address @param {RequestInit} options */
  #fetch(address, options) {
    return fetch(address, { ...options, signal: this.signal });
  }
}

/** @param {{ step: string, reason: string }} event */
function formatFailure({ step, reason }) {
  return `The job failed at ${step}: ${reason}`;
}

/** @param {Response} response @param {string} what */
async function assertOk(response, what) {
  if (response.ok) return;
  const text = await response.text();
  let detail = text.slice(0, 200);
  try {
    detail = JSON.parse(text).detail ?? detail;
  } catch {
    // Not JSON.
  }
  throw new UserFacingError(`${what} failed with status ${response.status}: ${detail}`);
}
