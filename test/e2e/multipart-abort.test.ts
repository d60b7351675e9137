import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from './support/audio.js';
import { type Client, expectStatus } from './support/client.js';
import { expectContiguous } from './support/events.js';
import {
  abortMultipart,
  listRemainingFiles,
  completeMultipart,
  type CreatedMultipart,
  createMultipart,
  putPart,
  putParts,
  statusOf,
} from './support/multipart.js';
import { expectInvalidFields, expectProblem } from './support/problem.js';
import { Service } from './support/service.js';

const LIMIT = 1_000_000;
const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';

let service: Service;
let client: Client;
/** An upload that is never completed, created first so that it expires while the other tests run. */
let abandoned: CreatedMultipart;

beforeAll(async () => {
  service = await Service.start({
    MAX_MULTIPART_BYTES: String(LIMIT),
    MULTIPART_URL_SECONDS: '10',
    LEASE_SECONDS: '3',
    SWEEP_SECONDS: '1',
  });
  client = await service.client();
  abandoned = await create();
  await putPart(client, abandoned, 1, silentWav(1));
});
afterAll(() => service?.stop());

const create = () => createMultipart(client, { file_size: 100_000 });
/** At once, or after the next sweep. */
const expectNoFilesRemain = (created: CreatedMultipart) =>
  expect.poll(() => listRemainingFiles(service, created), { timeout: 30_000 }).toEqual([]);

describe('§4.6 POST /upload/multipart/abort', () => {
  it('deletes the parts and ends the job, and a repeated call answers the same', async () => {
    const created = await create();
    const parts = await putParts(client, created, silentWav(1));
    expect(statusOf(await abortMultipart(client, created.job_id))).toBe('aborted');
    expect(await listRemainingFiles(service, created)).toEqual([]);
    expect(await client.job(created.job_id)).toMatchObject({
      status: 'failed',
      failed_stage: 'upload',
      reason: 'Upload aborted.',
    });
    expect(await client.events(created.job_id)).toMatchObject([
      { name: 'failed', data: { step: 'upload', reason: 'Upload aborted.' } },
    ]);
    expect(statusOf(await abortMultipart(client, created.job_id))).toBe('aborted');
    const audited = await service.query(
      `SELECT actor_kind FROM audit_event WHERE action = 'job.upload_aborted' AND target = $1`,
      [created.job_id],
    );
    expect(audited).toEqual([{ actor_kind: 'key' }]);
    expect(statusOf(await completeMultipart(client, created.job_id, parts))).toBe('failed');
    expect(expectStatus(200, await client.progress(created.job_id))).toEqual({ status: 'failed' });
    const late = await client.put(created.parts[0]?.url ?? '', silentWav(1), 'application/octet-stream');
    expectProblem(late, 403, 'upload_closed');
  });

  it('an abort racing a completion has one winner, and an aborted upload leaves no bytes', async () => {
    for (let round = 0; round < 12; round += 1) {
      const created = await create();
      const parts = await putParts(client, created, silentWav(1));
      const abort = () => abortMultipart(client, created.job_id);
      const complete = () => completeMultipart(client, created.job_id, parts);
      const [first, second] = round % 2 === 0 ? [abort, complete] : [complete, abort];
      const statuses = (await Promise.all([first(), second(), complete()])).map(statusOf);
      const successful = statuses.filter((status) => status === 'aborted' || status === 'queued');
      expect(successful, statuses.join()).toHaveLength(1);
      const events = await client.events(created.job_id);
      expectContiguous(events);
      expect(events.at(-1)?.name).toBe(successful[0] === 'aborted' ? 'failed' : 'completed');
      await expectNoFilesRemain(created);
    }
  });

  it('an abort of another kind of job, or of one that has ended, returns the status of the job', async () => {
    const single = await client.create({ file_size: 1 });
    expect(statusOf(await abortMultipart(client, single.job_id))).toBe('processing');
    expect((await client.job(single.job_id)).status).toBe('processing');
    const cancelled = await create();
    expect(statusOf(await client.post('/jobs/cancel', { job_id: cancelled.job_id }))).toBe('cancelled');
    expect(statusOf(await abortMultipart(client, cancelled.job_id))).toBe('failed');
    await expectNoFilesRemain(cancelled);
  });

  it('an abort answers 404 for an unknown or foreign job and 422 for an id that is not a UUID', async () => {
    const otherClient = await service.client((await service.openAccount(100)).api_key);
    // Runs last, because the upload ends when its signed URLs expire.
    const { job_id } = await create();
    for (const id of [job_id, UNKNOWN])
      expectProblem(await abortMultipart(otherClient, id), 404, 'job_not_found');
    expectInvalidFields(await abortMultipart(client, 'x'), 'job_id');
    expectInvalidFields(await client.post('/upload/multipart/abort', {}), 'job_id');
    expect((await client.job(job_id)).status).toBe('processing');
  });
});

describe('§4.5 the size is validated again at completion', () => {
  it('an upload over the limit of the route answers 400, its bytes are deleted and its job fails', async () => {
    const created = await createMultipart(client, { file_size: LIMIT });
    const part = await putPart(client, created, 1, new Uint8Array(LIMIT + 1));
    const response = await completeMultipart(client, created.job_id, [part]);
    const { detail } = expectProblem(response, 400, 'upload_too_large');
    expect(detail).toContain(String(LIMIT + 1));
    expect(await listRemainingFiles(service, created)).toEqual([]);
    expect(await client.job(created.job_id)).toMatchObject({
      status: 'failed',
      failed_stage: 'upload',
      reason: detail,
    });
  });
});

describe('§8 the lifetime of part URLs', () => {
  it('an upload that is not completed in time fails and its parts are deleted', async () => {
    expect(abandoned.expires_in).toBe(10);
    const [event] = await client.events(abandoned.job_id);
    expect(event).toMatchObject({ name: 'failed', data: { step: 'upload' } });
    await expectNoFilesRemain(abandoned);
  });
});
