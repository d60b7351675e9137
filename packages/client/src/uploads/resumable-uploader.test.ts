import { truncateSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { uploadStateFile } from '../index.js';
import { createProblemResponse } from '../testing/fake-service.js';
import {
  createTestBytes,
  FakeUploadService,
  MIB,
  FAKE_PART_BYTES,
  createS3ErrorResponse,
  createUploadClosedResponse,
} from '../testing/fake-uploads.js';
import type { Progress } from '../types.js';
import type { UploadState } from './upload-state.js';

const LARGE = createTestBytes(12 * MIB);
const options = { partSize: FAKE_PART_BYTES };

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function* chop(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

describe('submit', () => {
  it('sends a small file as a whole, with the content type of the URL, and queues it once', async () => {
    const uploads = new FakeUploadService();
    const bytes = createTestBytes(1000);
    const progress: Progress[] = [];
    const onProgress = (step: Progress) => void progress.push(step);
    const job = await uploads.service.client().submit(bytes, { output_type: 'txt', onProgress });
    expect(job).toEqual({ job_id: 'job-1' });
    const [create] = uploads.service.to('POST /api/v1/upload');
    expect(create?.json).toEqual({ output_type: 'txt', file_size: 1000 });
    expect(uploads.service.to('PUT /put/job-1/0')[0]?.headers.get('content-type')).toBe(
      'application/x-audio',
    );
    expect(uploads.bytesOf('job-1')).toEqual(bytes);
    expect(uploads.queued).toEqual(['job-1']);
    expect(progress.map((step) => step.phase === 'upload' && step.uploadedBytes)).toEqual([0, 1000]);
  });

  it.each([
    ['bytes', () => LARGE, LARGE.length],
    ['a Blob', () => new Blob([LARGE]), LARGE.length],
    ['a stream', () => new Blob([LARGE]).stream(), 4 * FAKE_PART_BYTES],
    ['an iterable of small chunks', () => chop(LARGE, 70_001), 4 * FAKE_PART_BYTES],
  ])('sends a large file in parts from %s', async (_, input, declared) => {
    const uploads = new FakeUploadService();
    await uploads.service.client().submit(input(), options);
    expect(uploads.service.to('POST /api/v1/upload/multipart/create')[0]?.json).toMatchObject({
      file_size: declared,
    });
    expect(Buffer.compare(uploads.bytesOf('job-1'), LARGE)).toBe(0);
    const [complete] = uploads.service.to('POST /api/v1/upload/multipart/complete');
    expect(complete?.json).toMatchObject({ parts: [{}, {}, {}] });
  });

  it('declares the size of a short stream, and of a long one whose size is given', async () => {
    const uploads = new FakeUploadService();
    const client = uploads.service.client();
    await client.submit(chop(createTestBytes(1000), 10), options);
    await client.submit(chop(LARGE, MIB), { ...options, fileSize: LARGE.length });
    expect(uploads.service.to('POST /api/v1/upload')[0]?.json).toEqual({ file_size: 1000 });
    const [create] = uploads.service.to('POST /api/v1/upload/multipart/create');
    expect(create?.json).toMatchObject({ file_size: LARGE.length });
  });

  it('sends the whole of a stream that is longer than the size that is given', async () => {
    const uploads = new FakeUploadService();
    await uploads.service.client().submit(chop(LARGE, MIB), { ...options, fileSize: 3_000_000 });
    expect(Buffer.compare(uploads.bytesOf('job-1'), LARGE)).toBe(0);
    expect(uploads.queued).toEqual(['job-1']);
  });

  it('sends no file again that was sent with the same idempotency key', async () => {
    const uploads = new FakeUploadService();
    const submit = () => uploads.service.client().submit(createTestBytes(10), { idempotencyKey: 'talk' });
    expect(await submit()).toEqual({ job_id: 'job-1' });
    expect(await submit()).toEqual({ job_id: 'job-1' });
    expect(uploads.service.to('PUT /put/job-1/0')).toHaveLength(1);
  });

  it('repeats only the part whose connection was lost', async () => {
    const uploads = new FakeUploadService();
    let failures = 1;
    uploads.intercept = (path) => {
      if (path.endsWith('/2') && failures-- > 0) throw new TypeError('reset');
      return undefined;
    };
    await uploads.service.client().submit(LARGE, options);
    const puts = uploads.service.lines.filter((line) => line.startsWith('PUT'));
    expect(puts.toSorted()).toEqual(['/1', '/2', '/2', '/3'].map((part) => `PUT /put/job-1${part}`));
    expect(uploads.service.to('POST /api/v1/upload/multipart/create')).toHaveLength(1);
  });

  it('repeats a part for whose bytes the object store has waited too long', async () => {
    const uploads = new FakeUploadService();
    let failures = 1;
    uploads.intercept = (path) => {
      if (!path.endsWith('/2') || failures-- === 0) return undefined;
      return createS3ErrorResponse(400, 'RequestTimeout');
    };
    await uploads.service.client().submit(LARGE, { ...options, concurrency: 1 });
    expect(uploads.service.to('PUT /put/job-1/2')).toHaveLength(2);
    expect(uploads.queued).toEqual(['job-1']);
  });

  it('gives up after another error of the object store, and says which', async () => {
    const uploads = new FakeUploadService();
    uploads.intercept = () => createS3ErrorResponse(400, 'InvalidRequest');
    await expect(uploads.service.client().submit(createTestBytes(10), options)).rejects.toMatchObject({
      code: 'unknown',
      storeCode: 'InvalidRequest',
    });
    expect(uploads.service.to('PUT /put/job-1/0')).toHaveLength(1);
  });

  it('aborts a multipart upload that nobody can continue', async () => {
    const uploads = new FakeUploadService();
    uploads.intercept = () => createProblemResponse(403, 'signature_mismatch');
    await expect(uploads.service.client().submit(LARGE, options)).rejects.toThrow('signature_mismatch');
    expect(uploads.service.lines.at(-1)).toBe('POST /api/v1/upload/multipart/abort');
  });

  it('ends with the reason of the signal, and sends no part after that', async () => {
    const uploads = new FakeUploadService();
    const abort = new AbortController();
    uploads.intercept = () => {
      abort.abort(new Error('enough'));
      throw new TypeError('reset');
    };
    const submitting = uploads.service
      .client()
      .submit(LARGE, { ...options, concurrency: 1, signal: abort.signal });
    await expect(submitting).rejects.toThrow('enough');
    expect(uploads.service.lines.filter((line) => line.startsWith('PUT'))).toHaveLength(1);
  });

  it.each([
    [{ outputType: 'txt' }, 'outputType is no option; did you mean output_type?'],
    [{ state: 'x' }, 'state must have load, save and clear, such as uploadStateFile(path).'],
    [{ partSize: 1 }, 'partSize must be an integer of at least 5242880, not 1.'],
    [{ concurrency: 0 }, 'concurrency must be an integer of at least 1, not 0.'],
  ])('refuses %j before any request', async (wrong, message) => {
    const uploads = new FakeUploadService();
    await expect(uploads.service.client().submit(LARGE, wrong as never)).rejects.toThrow(message);
    expect(uploads.service.lines).toEqual([]);
  });

  it('names a file that becomes shorter while it is sent', async () => {
    const file = join(await createFolder(), 'talk.wav');
    await writeFile(file, LARGE);
    const uploads = new FakeUploadService();
    uploads.intercept = (path) => {
      if (path.endsWith('/1')) truncateSync(file, FAKE_PART_BYTES);
      return undefined;
    };
    await expect(uploads.service.client().submit(file, { ...options, concurrency: 1 })).rejects.toMatchObject(
      { name: 'ZephyrError', message: `${file} became shorter while it was read.` },
    );
  });

  it('refuses what is no audio, and a folder', async () => {
    const client = new FakeUploadService().service.client();
    await expect(client.submit({} as never)).rejects.toThrow('The input must be a path, a URL, bytes');
    await expect(client.submit(tmpdir())).rejects.toThrow('is not a regular file');
  });

  it('lets the service fetch a URL', async () => {
    const uploads = new FakeUploadService();
    await uploads.service.client().submit(new URL('https://example.com/a.mp3'));
    expect(uploads.service.lines).toEqual(['POST /api/v1/upload']);
    expect(uploads.service.requests[0]?.json).toEqual({ audio_url: 'https://example.com/a.mp3' });
  });
});

describe('submit with a state file', () => {
  async function interrupt(uploads: FakeUploadService, path: string, file: string): Promise<UploadState> {
    uploads.intercept = (target) => (target.endsWith('/3') ? createProblemResponse(403, 'died') : undefined);
    const client = uploads.service.client();
    const state = uploadStateFile(path);
    await expect(client.submit(file, { ...options, concurrency: 1, state })).rejects.toThrow('died');
    uploads.intercept = () => undefined;
    uploads.service.requests.length = 0;
    return JSON.parse(await readFile(path, 'utf8')) as UploadState;
  }

  async function prepare() {
    const folder = await createFolder();
    const [path, file] = [join(folder, 'state.json'), join(folder, 'talk.wav')];
    await writeFile(file, LARGE);
    const uploads = new FakeUploadService();
    return { uploads, path, file, interrupted: await interrupt(uploads, path, file) };
  }

  it('sends only the missing part of an upload that another process began', async () => {
    const { uploads, path, file, interrupted } = await prepare();
    expect(interrupted).toMatchObject({ jobId: 'job-1', completed: false });
    expect(interrupted.parts.map((part) => part.part_number)).toEqual([1, 2]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await uploads.service.client().submit(file, { ...options, state: uploadStateFile(path) });
    expect(uploads.service.lines).toEqual([
      'GET /api/v1/jobs/job-1',
      'POST /api/v1/upload/multipart/create',
      'PUT /put/job-1/3',
      'POST /api/v1/upload/multipart/complete',
    ]);
    expect(Buffer.compare(uploads.bytesOf('job-1'), LARGE)).toBe(0);
  });

  it('counts each stored part by its size, also the last one, which is shorter', async () => {
    const { uploads, path, file, interrupted } = await prepare();
    const stored = interrupted.parts.map(({ etag }, index) => ({ part_number: index + 2, etag }));
    await writeFile(path, JSON.stringify({ ...interrupted, parts: stored }));
    const uploaded: unknown[] = [];
    const onProgress = (step: Progress) => void uploaded.push(step.phase === 'upload' && step.uploadedBytes);
    await uploads.service.client().submit(file, { ...options, state: uploadStateFile(path), onProgress });
    expect(uploaded).toEqual([7 * MIB, 12 * MIB]);
  });

  it('sends nothing for an upload that is complete, and asks only whether its job exists', async () => {
    const { uploads, path, file } = await prepare();
    const client = uploads.service.client();
    await client.submit(file, { ...options, state: uploadStateFile(path) });
    uploads.service.requests.length = 0;
    expect(await client.submit(file, { ...options, state: uploadStateFile(path) })).toEqual({
      job_id: 'job-1',
    });
    expect(uploads.service.lines).toEqual(['GET /api/v1/jobs/job-1']);
  });

  it('accepts that an earlier process had completed the upload', async () => {
    const { uploads, path, file } = await prepare();
    uploads.intercept = createUploadClosedResponse;
    expect(await uploads.service.client().submit(file, { ...options, state: uploadStateFile(path) })).toEqual(
      {
        job_id: 'job-1',
      },
    );
  });

  it.each(['url_expired', 'invalid_parts'])('begins a new upload after %s', async (code) => {
    const { uploads, path, file } = await prepare();
    uploads.intercept = (target) => (target.includes('job-1') ? createProblemResponse(403, code) : undefined);
    expect(await uploads.service.client().submit(file, { ...options, state: uploadStateFile(path) })).toEqual(
      {
        job_id: 'job-2',
      },
    );
    expect(Buffer.compare(uploads.bytesOf('job-2'), LARGE)).toBe(0);
  });

  it('begins a new upload for a file that has changed, and for a state that cannot be read', async () => {
    const { uploads, path, file } = await prepare();
    await writeFile(file, createTestBytes(11 * MIB));
    const submit = () => uploads.service.client().submit(file, { ...options, state: uploadStateFile(path) });
    expect(await submit()).toEqual({ job_id: 'job-2' });
    await writeFile(path, '{"version": 1');
    expect(await submit()).toEqual({ job_id: 'job-3' });
  });
});
