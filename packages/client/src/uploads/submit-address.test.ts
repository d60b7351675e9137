import { beforeEach, describe, expect, it } from 'vitest';
import type { Zephyr } from '../index.js';
import { createProblemResponse, FakeService } from '../testing/fake-service.js';
import type { UploadState, UploadStateStore } from './upload-state.js';

const ADDRESS = 'https://media.example/talk.mp3';

let missing: Set<string>;
/** Whether the response to a create is lost. */
let losesResponse: boolean;
let stored: UploadState | undefined;
let client: Zephyr;

const state: UploadStateStore = {
  load: () => Promise.resolve(stored),
  save: (saved) => Promise.resolve(void (stored = saved)),
  clear: () => Promise.resolve(void (stored = undefined)),
};

beforeEach(() => {
  missing = new Set();
  losesResponse = false;
  stored = undefined;
  const created = new Map<string, { id: string; body: string }>();
  const getJob = (id: string) => () =>
    missing.has(id) ? createProblemResponse(404, 'job_not_found') : Response.json({ job_id: id });
  const service = new FakeService({
    'POST /api/v1/upload': ({ headers, json }) => {
      const key = headers.get('idempotency-key') as string;
      const body = JSON.stringify(json);
      const earlier = created.get(key);
      if (earlier !== undefined && earlier.body !== body)
        return createProblemResponse(422, 'idempotency_key_reused');
      const job = earlier ?? { id: `job-${created.size + 1}`, body };
      created.set(key, job);
      if (losesResponse) throw new TypeError('reset');
      const replayed: HeadersInit = earlier === undefined ? {} : { 'idempotency-replayed': 'true' };
      return Response.json({ job_id: job.id, upload_url: null }, { headers: replayed });
    },
    'GET /api/v1/jobs/job-1': getJob('job-1'),
    'GET /api/v1/jobs/job-2': getJob('job-2'),
  });
  client = service.client({ maxRetries: 0 });
});

async function submitAndLoseResponse(): Promise<void> {
  losesResponse = true;
  await expect(client.submit(ADDRESS, { state })).rejects.toThrow('No response');
  losesResponse = false;
}

describe('submit of an address with a state', () => {
  it('makes another job for one that does not exist any more, also with a key of the caller', async () => {
    const options = { state, idempotencyKey: 'talk' };
    expect(await client.submit(ADDRESS, options)).toEqual({ job_id: 'job-1' });
    missing.add('job-1');
    expect(await client.submit(ADDRESS, options)).toEqual({ job_id: 'job-2' });
    expect(await client.submit(ADDRESS, options)).toEqual({ job_id: 'job-2' });
  });

  it('finds the job whose response was lost', async () => {
    await submitAndLoseResponse();
    expect(await client.submit(ADDRESS, { state })).toEqual({ job_id: 'job-1' });
  });

  it('makes another job when the response was lost and the job does not exist any more', async () => {
    await submitAndLoseResponse();
    missing.add('job-1');
    expect(await client.submit(ADDRESS, { state })).toEqual({ job_id: 'job-2' });
  });

  it('makes another job when the one whose response was lost had other options', async () => {
    await submitAndLoseResponse();
    expect(await client.submit(ADDRESS, { state, output_type: 'txt' })).toEqual({ job_id: 'job-2' });
  });

  it('refuses other options with the same key of the caller', async () => {
    await client.submit(ADDRESS, { idempotencyKey: 'talk' });
    const other = client.submit(ADDRESS, { state, idempotencyKey: 'talk', output_type: 'txt' });
    await expect(other).rejects.toThrow('idempotency_key_reused');
  });
});
