import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { uploadStateFile, uploadStateInStorage } from '../index.js';
import { createProblemResponse } from '../testing/fake-service.js';
import {
  createTestBytes,
  createUploadClosedResponse,
  FAKE_PART_BYTES,
  FakeUploadService,
  MIB,
} from '../testing/fake-uploads.js';
import type { Progress } from '../types.js';
import type { UploadState, UploadStateStore } from './upload-state.js';

const LARGE = createTestBytes(12 * MIB);

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const createState = (jobId: string): UploadState => ({
  version: 1,
  idempotencyKey: jobId,
  jobId,
  parts: [],
  completed: true,
});

/** The state of an upload of `talk.wav`. */
async function prepare(bytes = LARGE) {
  const folder = await createFolder();
  const [path, file] = [join(folder, 'state.json'), join(folder, 'talk.wav')];
  await writeFile(file, bytes);
  const uploads = new FakeUploadService();
  const options = { partSize: FAKE_PART_BYTES, concurrency: 1, state: uploadStateFile(path) };
  const submit = () => uploads.service.client().submit(file, options);
  return { uploads, path, file, options, submit };
}

describe('submit with the state of a job that is not in the account', () => {
  it('begins a new job, also if the upload was complete', async () => {
    const { uploads, submit } = await prepare();
    expect(await submit()).toEqual({ job_id: 'job-1' });
    uploads.missing.add('job-1');
    expect(await submit()).toEqual({ job_id: 'job-2' });
    expect(Buffer.compare(uploads.bytesOf('job-2'), LARGE)).toBe(0);
    expect(await submit()).toEqual({ job_id: 'job-2' });
  });

  it.each([
    ['its URLs are closed', createUploadClosedResponse],
    ['its URLs still take bytes', () => undefined],
  ])('begins a new job after an interrupted upload, when %s', async (_, answerPutOfMissingJob) => {
    const { uploads, submit } = await prepare();
    uploads.intercept = (target) => (target.endsWith('/3') ? createProblemResponse(403, 'died') : undefined);
    await expect(submit()).rejects.toThrow('died');
    uploads.missing.add('job-1');
    uploads.intercept = (target) => (target.includes('job-1') ? answerPutOfMissingJob() : undefined);
    expect(await submit()).toEqual({ job_id: 'job-2' });
    expect(Buffer.compare(uploads.bytesOf('job-2'), LARGE)).toBe(0);
  });

  it('begins a new job for a URL that the service fetches', async () => {
    const { uploads, options } = await prepare();
    const submit = () => uploads.service.client().submit('https://example.com/a.mp3', options);
    expect(await submit()).toEqual({ job_id: 'job-1' });
    expect(await submit()).toEqual({ job_id: 'job-1' });
    uploads.missing.add('job-1');
    expect(await submit()).toEqual({ job_id: 'job-2' });
  });

  it('keeps the state when the service does not say whether the job exists', async () => {
    const { uploads, path, file, options, submit } = await prepare();
    await submit();
    uploads.missing.add('job-1');
    const unreachable = uploads.service.client({
      fetch: () => Promise.reject(new TypeError()),
      maxRetries: 0,
    });
    await expect(unreachable.submit(file, options)).rejects.toThrow('No response');
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ jobId: 'job-1', completed: true });
  });
});

describe('submit with the state of a stream', () => {
  it('sends no part of it as a whole when the earlier upload has expired', async () => {
    const { uploads, options } = await prepare();
    const submit = () => uploads.service.client().submit(new Blob([LARGE]).stream(), options);
    uploads.intercept = (target) => (target.endsWith('/3') ? createProblemResponse(403, 'died') : undefined);
    await expect(submit()).rejects.toThrow('died');
    uploads.intercept = (target) =>
      target.includes('job-1') ? createProblemResponse(403, 'url_expired') : undefined;
    await expect(submit()).rejects.toThrow(
      'The stream was read already. Run it again with the whole stream.',
    );
    expect(uploads.queued).toEqual([]);
    expect(await submit()).toEqual({ job_id: 'job-2' });
    expect(Buffer.compare(uploads.bytesOf('job-2'), LARGE)).toBe(0);
  });
});

describe('the progress of an upload with a state', () => {
  it('names no byte that another process would send again', async () => {
    const { uploads, file, options } = await prepare();
    let saved = 0;
    const steps: { reported: number; saved: number }[] = [];
    const state: UploadStateStore = {
      load: () => Promise.resolve(undefined),
      save: ({ parts }) => Promise.resolve(void (saved = parts.length)),
      clear: () => Promise.resolve(),
    };
    const onProgress = (step: Progress) => {
      if (step.phase === 'upload')
        steps.push({ reported: Math.ceil(step.uploadedBytes / FAKE_PART_BYTES), saved });
    };
    await uploads.service.client().submit(file, { ...options, state, onProgress });
    expect(steps).toEqual([0, 1, 2, 3].map((parts) => ({ reported: parts, saved: parts })));
  });

  it('begins at 0 with a new upload in the place of an expired one', async () => {
    const { uploads, file, options, submit } = await prepare();
    uploads.intercept = (target) => (target.endsWith('/3') ? createProblemResponse(403, 'died') : undefined);
    await expect(submit()).rejects.toThrow('died');
    uploads.intercept = (target) =>
      target.includes('job-1') ? createProblemResponse(403, 'url_expired') : undefined;
    const reported: number[] = [];
    await uploads.service.client().submit(file, {
      ...options,
      onProgress: (step) => void (step.phase === 'upload' && reported.push(step.uploadedBytes)),
    });
    expect(reported.map((bytes) => bytes / MIB)).toEqual([10, 0, 5, 10, 12]);
  });
});

describe('a state file', () => {
  it('may be written by two programs at once, and leaves no other file', async () => {
    const folder = await createFolder();
    const path = join(folder, 'state.json');
    const jobs = Array.from({ length: 50 }, (_, index) => `job-${index}`);
    await Promise.all(jobs.map((jobId) => uploadStateFile(path).save(createState(jobId))));
    expect(jobs).toContain((await uploadStateFile(path).load())?.jobId);
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  it('leaves no other file when it cannot be replaced', async () => {
    const folder = await createFolder();
    await expect(uploadStateFile(folder).save(createState('job-1'))).rejects.toThrow(folder);
    const parent = join(folder, '..');
    expect((await readdir(parent)).filter((name) => join(parent, name).startsWith(`${folder}.`))).toEqual([]);
  });
});

describe('the state in a storage of the browser', () => {
  it('is stored, read and removed under its key', async () => {
    const values = new Map<string, string>();
    const storage = {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
      removeItem: (key: string) => void values.delete(key),
    };
    const state = uploadStateInStorage(storage, 'talk');
    expect(await state.load()).toBeUndefined();
    await state.save(createState('job-1'));
    expect(await state.load()).toEqual(createState('job-1'));
    await state.clear();
    expect(values.size).toBe(0);
  });
});
