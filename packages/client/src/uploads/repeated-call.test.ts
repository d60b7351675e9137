import { describe, expect, it } from 'vitest';
import { createProblemResponse } from '../testing/fake-service.js';
import {
  createTestBytes,
  createUploadClosedResponse,
  FAKE_PART_BYTES,
  FakeUploadService,
} from '../testing/fake-uploads.js';
import type { Progress } from '../types.js';

const LARGE = createTestBytes(2 * FAKE_PART_BYTES);
const options = { partSize: FAKE_PART_BYTES, concurrency: 1, idempotencyKey: 'talk' };
const ABORT_LINE = 'POST /api/v1/upload/multipart/abort';

/** @param jobIds whose uploads have ended: their URLs are closed, and the jobs have failed */
function endUploads(uploads: FakeUploadService, ...jobIds: string[]): void {
  for (const jobId of jobIds)
    uploads.ended.set(jobId, { status: 'failed', failed_stage: 'upload', reason: 'Upload aborted.' });
  uploads.intercept = (path) =>
    jobIds.some((jobId) => path.includes(jobId)) ? createUploadClosedResponse() : undefined;
}

describe('submit with an idempotency key, after a failure', () => {
  it('does not end the upload, and sends it when the call is repeated', async () => {
    const uploads = new FakeUploadService();
    const client = uploads.service.client({ maxRetries: 0 });
    uploads.intercept = () => createProblemResponse(503, 'service_unavailable');
    await expect(client.submit(LARGE, options)).rejects.toThrow('service_unavailable');
    uploads.intercept = () => undefined;
    expect(await client.submit(LARGE, options)).toEqual({ job_id: 'job-1' });
    expect(uploads.service.to(ABORT_LINE)).toEqual([]);
    expect(Buffer.compare(uploads.bytesOf('job-1'), LARGE)).toBe(0);
  });

  it('does not end the upload when its signal aborts', async () => {
    const uploads = new FakeUploadService();
    const interruption = new AbortController();
    uploads.intercept = () => {
      interruption.abort(new Error('enough'));
      throw new TypeError('reset');
    };
    const submitting = uploads.service.client().submit(LARGE, { ...options, signal: interruption.signal });
    await expect(submitting).rejects.toThrow('enough');
    expect(uploads.service.to(ABORT_LINE)).toEqual([]);
  });
});

describe('submit with the idempotency key of an upload that has ended', () => {
  it.each([
    ['a file in parts', () => LARGE],
    ['a stream', () => new Blob([LARGE]).stream()],
    ['a small file', () => createTestBytes(10)],
  ])('sends %s to another job, which is the same however often the call is repeated', async (_, open) => {
    const uploads = new FakeUploadService();
    const client = uploads.service.client();
    const submit = () => client.submit(open(), { ...options, onProgress });
    const reasons = new Set<string>();
    const onProgress = (progress: Progress) => {
      if (progress.phase === 'upload' && progress.restartReason !== undefined)
        reasons.add(progress.restartReason);
    };
    uploads.intercept = () => createProblemResponse(403, 'died');
    await expect(submit()).rejects.toThrow('died');
    endUploads(uploads, 'job-1');
    const { intercept } = uploads;
    uploads.intercept = (path) => intercept(path) ?? createProblemResponse(403, 'died');
    await expect(submit()).rejects.toThrow('died');
    uploads.intercept = intercept;
    expect(await submit()).toEqual({ job_id: 'job-2' });
    expect(await submit()).toEqual({ job_id: 'job-2' });
    expect([...reasons]).toEqual(['The earlier upload has failed: Upload aborted.']);
    expect(uploads.queued).toEqual(['job-2']);
  });

  it('sends the file to a third job when the second upload has ended, too', async () => {
    const uploads = new FakeUploadService();
    const submit = () => uploads.service.client().submit(LARGE, options);
    const jobIds: string[] = [];
    for (const jobId of ['job-1', 'job-2']) {
      uploads.intercept = (path) =>
        path.includes(jobId) ? createProblemResponse(403, 'died') : createUploadClosedResponse();
      await expect(submit()).rejects.toThrow('died');
      jobIds.push(jobId);
      endUploads(uploads, ...jobIds);
    }
    expect(await submit()).toEqual({ job_id: 'job-3' });
    expect(await submit()).toEqual({ job_id: 'job-3' });
    expect(Buffer.compare(uploads.bytesOf('job-3'), LARGE)).toBe(0);
  });

  it('sends the file to another job when the URLs have expired, and ends the earlier upload', async () => {
    const uploads = new FakeUploadService();
    const client = uploads.service.client();
    uploads.intercept = () => createProblemResponse(403, 'died');
    await expect(client.submit(LARGE, options)).rejects.toThrow('died');
    uploads.intercept = (path) =>
      path.includes('job-1') ? createProblemResponse(403, 'url_expired') : undefined;
    expect(await client.submit(LARGE, options)).toEqual({ job_id: 'job-2' });
    expect(uploads.aborted).toEqual(['job-1']);
  });

  it('reports a failure of an upload that it has just made', async () => {
    const uploads = new FakeUploadService();
    uploads.intercept = () => createProblemResponse(403, 'url_expired');
    await expect(uploads.service.client().submit(LARGE, options)).rejects.toThrow('url_expired');
    expect(uploads.service.to('POST /api/v1/upload/multipart/create')).toHaveLength(1);
  });
});
