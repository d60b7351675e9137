import { describe, expect, it } from 'vitest';
import { type UploadState, ZephyrError } from '../index.js';
import { createProblemResponse } from '../testing/fake-service.js';
import { createTestBytes, FAKE_PART_BYTES, FakeUploadService } from '../testing/fake-uploads.js';

const LARGE = createTestBytes(FAKE_PART_BYTES + 1);
const options = { partSize: FAKE_PART_BYTES };
const LOST: [string, () => Response][] = [
  ['the connection is lost', () => Promise.reject(new TypeError('fetch failed')) as never],
  ['a proxy gives up', () => new Response('', { status: 504 })],
];

/** @param respond to requests to these paths, after the service if that has received them */
function prepare(paths: RegExp, respond: () => Response, isReceived = true) {
  const uploads = new FakeUploadService();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const isLost = paths.test(new Request(input).url);
    if (isLost && !isReceived) return respond();
    const response = await uploads.service.fetch(input, init);
    return isLost ? respond() : response;
  };
  return { uploads, client: uploads.service.client({ fetch, maxRetries: 0 }) };
}

async function catchError(promise: Promise<unknown>): Promise<ZephyrError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ZephyrError);
  return error as ZephyrError;
}

describe.each(LOST)('submit, when %s before the response to the completion', (_, respond) => {
  it('in parts returns the job, which turns out to be queued', async () => {
    const { uploads, client } = prepare(/multipart\/complete$/, respond);
    expect(await client.submit(LARGE, options)).toEqual({ job_id: 'job-1' });
    expect(uploads.queued).toEqual(['job-1']);
  });

  it('in parts names the job if the abort gets no response either', async () => {
    const { client } = prepare(/multipart\/(complete|abort)$/, respond);
    expect((await catchError(client.submit(LARGE, options))).job_id).toBe('job-1');
  });

  it('in parts with a state leaves the upload to the next run, and names the job', async () => {
    const { uploads, client } = prepare(/multipart\/complete$/, respond);
    let saved: UploadState | undefined;
    const state = {
      load: () => Promise.resolve(saved),
      save: (next: UploadState) => Promise.resolve(void (saved = next)),
      clear: () => Promise.resolve(),
    };
    expect((await catchError(client.submit(LARGE, { ...options, state }))).job_id).toBe('job-1');
    expect(saved).toMatchObject({ jobId: 'job-1', completed: false });
    expect(uploads.service.to('POST /api/v1/upload/multipart/abort')).toEqual([]);
  });

  it('of a small file names the job', async () => {
    const { uploads, client } = prepare(/upload\/complete$/, respond);
    expect((await catchError(client.submit(createTestBytes(10), options))).job_id).toBe('job-1');
    expect(uploads.queued).toEqual(['job-1']);
  });

  it('of a small file that an earlier process has sent names the job, too', async () => {
    const { uploads, client } = prepare(/upload\/complete$/, respond);
    const submit = () => client.submit(createTestBytes(10), { idempotencyKey: 'talk' });
    await catchError(submit());
    expect((await catchError(submit())).job_id).toBe('job-1');
    expect(uploads.service.to('PUT /put/job-1/0')).toHaveLength(1);
  });
});

describe('an error of submit', () => {
  it.each(LOST)('names no job whose upload is ended, when %s', async (_, respond) => {
    const { uploads, client } = prepare(/multipart\/complete$/, respond, false);
    const error = await catchError(client.submit(LARGE, options));
    expect(uploads.aborted).toEqual(['job-1']);
    expect(error).not.toHaveProperty('job_id');
  });

  it('names no job whose completion was refused', async () => {
    const { client } = prepare(/upload\/complete$/, () => createProblemResponse(403, 'forbidden'));
    expect(await catchError(client.submit(createTestBytes(10), options))).not.toHaveProperty('job_id');
  });

  it('is the reason of a signal that aborts after the completion', async () => {
    const abort = new AbortController();
    const { client } = prepare(/multipart\/complete$/, () => {
      abort.abort(new Error('enough'));
      throw new TypeError('reset');
    });
    await expect(client.submit(LARGE, { ...options, signal: abort.signal })).rejects.toThrow('enough');
  });
});
