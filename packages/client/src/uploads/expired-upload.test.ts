import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { uploadStateFile } from '../index.js';
import type { SubmitOptions } from '../options.js';
import { createProblemResponse } from '../testing/fake-service.js';
import {
  createTestBytes,
  createUploadClosedResponse,
  FAKE_PART_BYTES,
  FakeUploadService,
  MIB,
} from '../testing/fake-uploads.js';
import type { Progress } from '../types.js';
import type { UploadState } from './upload-state.js';

const SMALL = createTestBytes(1000);
const LARGE = createTestBytes(12 * MIB);

/** What an object store says about a URL that has expired. */
const createStoreRefusal = () =>
  new Response('<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>', {
    status: 403,
  });
const createExpiredResponse = () => createProblemResponse(403, 'url_expired');

/** An upload of `talk.wav` that ended before its last PUT. */
async function interruptUpload(bytes: Uint8Array, options: Partial<SubmitOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [path, file] = [join(folder, 'state.json'), join(folder, 'talk.wav')];
  await writeFile(file, bytes);
  const uploads = new FakeUploadService();
  const progress: Progress[] = [];
  const submit = (changes: Partial<SubmitOptions> = {}) =>
    uploads.service.client().submit(file, {
      ...{ partSize: FAKE_PART_BYTES, concurrency: 1, state: uploadStateFile(path) },
      onProgress: (step) => void progress.push(step),
      ...options,
      ...changes,
    });
  uploads.intercept = (target) => (/\/[03]$/.test(target) ? createProblemResponse(400, 'died') : undefined);
  await expect(submit()).rejects.toThrow('died');
  uploads.service.requests.length = 0;
  progress.length = 0;
  /** Lets the upload of the first job expire. */
  const expire = (refusal: () => Response) =>
    (uploads.intercept = (target) => (target.includes('job-1') ? refusal() : undefined));
  const readState = async () => JSON.parse(await readFile(path, 'utf8')) as UploadState;
  const writeState = (state: UploadState) => writeFile(path, JSON.stringify(state));
  return { uploads, submit, expire, progress, readState, writeState };
}

describe.each([
  ['small', SMALL],
  ['large', LARGE],
])('submit of a %s file, whose URLs have expired since it was interrupted', (_, bytes) => {
  it.each([
    ['the service', createExpiredResponse],
    ['the object store', createStoreRefusal],
  ])('begins anew when %s says so', async (__, refusal) => {
    const { uploads, submit, expire, readState } = await interruptUpload(bytes);
    expire(refusal);
    expect(await submit()).toEqual({ job_id: 'job-2' });
    expect(Buffer.compare(uploads.bytesOf('job-2'), bytes)).toBe(0);
    expect(uploads.queued).toEqual(['job-2']);
    expect(await readState()).toMatchObject({ jobId: 'job-2', completed: true });
  });

  it('says why it begins anew, once', async () => {
    const { submit, expire, progress } = await interruptUpload(bytes);
    expire(createExpiredResponse);
    await submit();
    const reasons = progress.flatMap((step) => (step.phase === 'upload' ? (step.restartReason ?? []) : []));
    expect(reasons).toEqual(['The URLs of the earlier upload have expired.']);
  });

  it('uses another idempotency key than that of the caller, which would make the same job', async () => {
    const { uploads, submit, expire } = await interruptUpload(bytes, { idempotencyKey: 'talk' });
    expire(createExpiredResponse);
    expect(await submit()).toEqual({ job_id: 'job-2' });
    uploads.service.requests.length = 0;
    expect(await submit()).toEqual({ job_id: 'job-2' });
    expect(uploads.service.lines).toEqual(['GET /api/v1/jobs/job-2']);
  });

  it('makes no second job if the first one was queued', async () => {
    const { uploads, submit, expire, readState, writeState } = await interruptUpload(bytes);
    uploads.intercept = () => undefined;
    await submit();
    await writeState({ ...(await readState()), completed: false, parts: [] });
    expire(createStoreRefusal);
    expect(await submit()).toEqual({ job_id: 'job-1' });
    expect(uploads.queued).toEqual(['job-1']);
    expect(await readState()).toMatchObject({ jobId: 'job-1', completed: true });
  });

  it.each([
    ['completed', null],
    ['failed', 'cancelled'],
  ])('makes no second job after days, if the first one is %s', async (status, stage) => {
    const { uploads, submit } = await interruptUpload(bytes);
    // The create would not be replayed any more.
    uploads.forgetKeys();
    uploads.ended.set('job-1', { status, failed_stage: stage });
    expect(await submit()).toEqual({ job_id: 'job-1' });
    expect(uploads.service.lines).toEqual(['GET /api/v1/jobs/job-1']);
  });

  it('begins anew if the first job has failed because its upload was not completed', async () => {
    const { uploads, submit, expire, progress } = await interruptUpload(bytes);
    expire(createUploadClosedResponse);
    const reason = 'The upload was not completed in time.';
    uploads.ended.set('job-1', { status: 'failed', failed_stage: 'upload', reason });
    expect(await submit()).toEqual({ job_id: 'job-2' });
    expect(progress[0]).toMatchObject({ restartReason: `The earlier upload has failed: ${reason}` });
  });

  it('makes no second job while the service does not say what has become of the first one', async () => {
    const { uploads, submit, expire, readState } = await interruptUpload(bytes);
    expire(createExpiredResponse);
    uploads.failEnds = true;
    await expect(submit()).rejects.toThrow('forbidden');
    expect(await readState()).toMatchObject({ jobId: 'job-1', completed: false });
  });
});

describe('submit of a small file whose completion an earlier process did not save', () => {
  async function interruptAfterPut() {
    const interrupted = await interruptUpload(SMALL);
    const { uploads, submit, readState, writeState } = interrupted;
    uploads.intercept = () => undefined;
    await submit();
    await writeState({ ...(await readState()), completed: false });
    uploads.service.requests.length = 0;
    return interrupted;
  }

  it('sends the file no second time, which would replace the audio of a queued job', async () => {
    const { uploads, submit, readState } = await interruptAfterPut();
    expect(await submit()).toEqual({ job_id: 'job-1' });
    expect(uploads.service.lines).toEqual([
      'GET /api/v1/jobs/job-1',
      'POST /api/v1/upload',
      'POST /api/v1/upload/complete',
    ]);
    expect(await readState()).toMatchObject({ jobId: 'job-1', completed: true });
  });

  it('queues the job of a file that has arrived', async () => {
    const { uploads, submit } = await interruptAfterPut();
    uploads.queued.length = 0;
    expect(await submit()).toEqual({ job_id: 'job-1' });
    expect(uploads.queued).toEqual(['job-1']);
    expect(uploads.service.lines.filter((line) => line.startsWith('PUT'))).toEqual([]);
  });
});

it('submit says that it begins anew if the service has forgotten the create, too', async () => {
  const { uploads, submit, progress } = await interruptUpload(LARGE);
  uploads.intercept = () => undefined;
  uploads.forgetKeys();
  expect(await submit()).toEqual({ job_id: 'job-2' });
  expect(progress[0]).toMatchObject({ uploadedBytes: 0, restartReason: expect.any(String) as string });
});

it('submit ends the expired upload of a large file, so that nobody can complete it', async () => {
  const { uploads, submit, expire } = await interruptUpload(LARGE);
  expire(createExpiredResponse);
  await submit();
  const [, , , abort] = uploads.service.requests;
  expect(uploads.service.lines[3]).toBe('POST /api/v1/upload/multipart/abort');
  expect(abort?.json).toEqual({ job_id: 'job-1' });
});

describe('submit of a file whose create makes another job than the one before', () => {
  /** The options of the second run; without them the service has forgotten the key. */
  const RUNS: [string, Uint8Array, Partial<SubmitOptions> | undefined][] = [
    ['in parts, by a key that is forgotten', LARGE, undefined],
    ['as a whole, by a key that is forgotten', SMALL, undefined],
    ['as a whole, instead of in parts', LARGE, { partSize: 16 * MIB }],
  ];

  it.each(RUNS)('makes no second job if the first one is queued: %s', async (_, bytes, changes) => {
    const { uploads, submit, readState, writeState } = await interruptUpload(bytes);
    uploads.intercept = () => undefined;
    await submit();
    await writeState({ ...(await readState()), completed: false });
    if (changes === undefined) uploads.forgetKeys();
    uploads.service.requests.length = 0;
    expect(await submit(changes)).toEqual({ job_id: 'job-1' });
    expect(uploads.queued).toEqual(['job-1']);
    expect(uploads.missing).toEqual(new Set(['job-2']));
    expect(uploads.service.lines.filter((line) => line.startsWith('PUT'))).toEqual([]);
    expect(await readState()).toMatchObject({ jobId: 'job-1', completed: true });
  });

  it('queues the first one in parts instead of the second one, if the whole file has arrived', async () => {
    const { uploads, submit } = await interruptUpload(LARGE, { partSize: 16 * MIB });
    uploads.intercept = () => undefined;
    uploads.stored.set('job-1/0', LARGE);
    expect(await submit({ partSize: FAKE_PART_BYTES })).toEqual({ job_id: 'job-1' });
    expect(uploads.queued).toEqual(['job-1']);
  });

  it.each([
    ['forgotten keys', undefined],
    ['another size of parts', { partSize: 16 * MIB }],
  ])('aborts the first one if parts of it are missing: %s', async (_, changes) => {
    const { uploads, submit, progress } = await interruptUpload(LARGE);
    uploads.intercept = () => undefined;
    if (changes === undefined) uploads.forgetKeys();
    expect(await submit(changes)).toEqual({ job_id: 'job-2' });
    expect(uploads.aborted).toEqual(['job-1']);
    expect(uploads.queued).toEqual(['job-2']);
    expect(Buffer.compare(uploads.bytesOf('job-2'), LARGE)).toBe(0);
    expect(progress[0]).toMatchObject({ uploadedBytes: 0, restartReason: expect.any(String) as string });
  });

  it('aborts the first one, of which no part had arrived, too', async () => {
    const { uploads, submit, readState, writeState } = await interruptUpload(LARGE);
    await writeState({ ...(await readState()), parts: [] });
    uploads.intercept = () => undefined;
    uploads.forgetKeys();
    expect(await submit()).toEqual({ job_id: 'job-2' });
    expect(uploads.aborted).toEqual(['job-1']);
  });

  it('keeps the state of the first one while the service does not say what has become of it', async () => {
    const { uploads, submit, readState } = await interruptUpload(LARGE);
    uploads.intercept = () => undefined;
    uploads.forgetKeys();
    uploads.failEnds = true;
    await expect(submit()).rejects.toThrow('forbidden');
    expect(await readState()).toMatchObject({ jobId: 'job-1', completed: false });
    uploads.failEnds = false;
    expect(await submit()).toEqual({ job_id: 'job-2' });
    expect(uploads.aborted).toEqual(['job-1']);
  });
});
