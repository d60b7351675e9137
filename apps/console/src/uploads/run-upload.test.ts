import { describe, expect, it } from 'vitest';
import { ApiError, NoResponseError } from '../api/client.ts';
import { DEFAULT_JOB_OPTIONS_FORM_VALUES, toJobOptionsBody } from '../jobs/job-options.ts';
import { FileReadTimeoutError } from './digest.ts';
import { REPLACED_PLAN_EXPIRES_AT, runUpload, type UploadDependencies } from './run-upload.ts';
import { PartUploadError } from './send-part.ts';
import type { UploadRecord } from './upload-record.ts';

const FILE = new Blob(['aaaa', 'bbbb', 'c']);
const RECORD: UploadRecord = {
  id: 'upload-1',
  owner: 'account/user',
  createdAt: 0,
  fileName: 'talk.mp3',
  fileSize: 9,
  body: toJobOptionsBody(DEFAULT_JOB_OPTIONS_FORM_VALUES, 'talk.mp3'),
  state: 'sending',
  plan: null,
  parts: [],
  problem: null,
};

/** The service with an object store that answers in memory, and fails first as told. */
function createPorts(
  failures: { create?: unknown[]; digests?: unknown[]; parts?: unknown[]; complete?: unknown[] } = {},
) {
  const calls: string[] = [];
  const waits: number[] = [];
  const saved: UploadRecord[] = [];
  const bytes: string[] = [];
  const failFirst = (errors: unknown[] | undefined) => {
    const error = errors?.shift();
    if (error !== undefined) throw error as Error;
  };
  const ports: UploadDependencies = {
    createJob: async ({ id }) => {
      calls.push(`create ${id}`);
      failFirst(failures.create);
      return { jobId: 'job-1', partSize: 4, urls: ['u0', 'u1', 'u2'], expiresAt: Infinity };
    },
    pingUpload: async () => undefined,
    completeUpload: async (jobId, parts) => {
      calls.push(`complete ${jobId} ${parts.map(({ etag }) => etag).join(',')}`);
      failFirst(failures.complete);
    },
    findJob: async () => ({ failed_stage: null }),
    abortUpload: async (jobId) => {
      calls.push(`abort ${jobId}`);
      return { status: 'aborted' };
    },
    sendPart: async (url, part) => {
      calls.push(url);
      failFirst(failures.parts);
      bytes.push(await part.text());
      return `etag-${url}`;
    },
    digest: async (part) => {
      failFirst(failures.digests);
      return `digest-${await part.text()}`;
    },
    save: async (record) => void saved.push(record),
    wait: async (ms, signal) => {
      waits.push(ms);
      signal.throwIfAborted();
    },
    isOffline: () => false,
    onProgress: () => undefined,
    onRetry: () => undefined,
  };
  return { ports, calls, waits, saved, bytes };
}

const { signal } = new AbortController();

describe('runUpload', () => {
  it('creates the job, sends each part once and in order, and completes', async () => {
    const { ports, calls, saved, bytes } = createPorts();
    const sent = await runUpload(RECORD, FILE, ports, signal);
    expect(calls).toEqual(['create upload-1', 'u0', 'u1', 'u2', 'complete job-1 etag-u0,etag-u1,etag-u2']);
    expect(bytes).toEqual(['aaaa', 'bbbb', 'c']);
    expect(sent).toMatchObject({ state: 'sent', plan: { jobId: 'job-1' } });
    expect(saved.at(-1)).toEqual(sent);
  });

  it('goes on after the parts that an earlier run saved', async () => {
    const first = createPorts({ parts: [undefined, new PartUploadError(403)] });
    await expect(runUpload(RECORD, FILE, first.ports, signal)).rejects.toThrow(PartUploadError);
    const saved = first.saved.at(-1) ?? RECORD;
    expect(saved.parts).toEqual([{ etag: 'etag-u0', digest: 'digest-aaaa' }]);
    const second = createPorts();
    await runUpload(saved, FILE, second.ports, signal);
    expect(second.calls).toEqual(['u1', 'u2', 'complete job-1 etag-u0,etag-u1,etag-u2']);
  });

  it.each([
    ['cancelled', async () => ({ failed_stage: 'cancelled' })],
    ['deleted', async () => Promise.reject(new ApiError(404, {}, null))],
  ])('makes no other job after one that was %s, except on request', async (_, findJob) => {
    const plan = { jobId: 'job-0', partSize: 4, urls: ['x0', 'x1', 'x2'], expiresAt: Infinity };
    const run = (expiresAt: number, ports: UploadDependencies) =>
      runUpload({ ...RECORD, plan: { ...plan, expiresAt } }, FILE, { ...ports, findJob }, signal);
    const { ports, calls } = createPorts({ parts: [new PartUploadError(403)] });
    await expect(run(Infinity, ports)).rejects.toThrow(PartUploadError);
    expect(calls).toEqual(['x0']);
    expect(await run(REPLACED_PLAN_EXPIRES_AT, ports)).toMatchObject({
      state: 'sent',
      plan: { jobId: 'job-1' },
    });
  });

  it('repeats what a lost connection, a limit or a busy service failed, later each time', async () => {
    const { ports, calls, waits } = createPorts({
      create: [new ApiError(429, {}, 40), new NoResponseError('lost')],
      parts: [new PartUploadError(0), new PartUploadError(503)],
      complete: [new ApiError(503, {}, null)],
    });
    await runUpload(RECORD, FILE, ports, signal);
    expect(calls.filter((call) => call === 'create upload-1')).toHaveLength(3);
    expect(calls.filter((call) => call === 'u0')).toHaveLength(3);
    expect(waits[0]).toBe(40_000);
    expect(waits[3]).toBeGreaterThanOrEqual(1_000);
  });

  it('repeats what is being answered already, and a part whose bytes the store waited for too long', async () => {
    const { ports, calls, waits } = createPorts({
      create: [new ApiError(409, { code: 'idempotency_key_in_use' }, 3)],
      parts: [new PartUploadError(400, null, 'RequestTimeout')],
    });
    await runUpload(RECORD, FILE, ports, signal);
    expect(calls.filter((call) => call === 'create upload-1')).toHaveLength(2);
    expect(calls.filter((call) => call === 'u0')).toHaveLength(2);
    expect(waits[0]).toBe(3_000);
    const refused = createPorts({ parts: [new PartUploadError(400, null, 'InvalidRequest')] });
    await expect(runUpload(RECORD, FILE, refused.ports, signal)).rejects.toThrow(PartUploadError);
  });

  it.each([402, 413, 422])('does not repeat a create that was answered with %i', async (status) => {
    const { ports, calls } = createPorts({ create: [new ApiError(status, {}, null)] });
    await expect(runUpload(RECORD, FILE, ports, signal)).rejects.toThrow(ApiError);
    expect(calls).toEqual(['create upload-1']);
  });

  it('gives up after eight attempts, and keeps what is done', async () => {
    const { ports, calls } = createPorts({ parts: Array.from({ length: 20 }, () => new PartUploadError(0)) });
    await expect(runUpload(RECORD, FILE, ports, signal)).rejects.toThrow(PartUploadError);
    expect(calls.filter((call) => call === 'u0')).toHaveLength(8);
  });

  it('does not give up while the browser has no connection', async () => {
    const { ports, calls, waits } = createPorts({
      parts: Array.from({ length: 20 }, () => new PartUploadError(0)),
    });
    const isOffline = () => waits.length < 15;
    expect(await runUpload(RECORD, FILE, { ...ports, isOffline }, signal)).toMatchObject({ state: 'sent' });
    expect(calls.filter((call) => call === 'u0')).toHaveLength(21);
    const busy = createPorts({ parts: Array.from({ length: 20 }, () => new PartUploadError(503)) });
    await expect(runUpload(RECORD, FILE, { ...busy.ports, isOffline: () => true }, signal)).rejects.toThrow(
      PartUploadError,
    );
  });

  it('reads a part again that the file did not deliver in time, and gives up after eight attempts', async () => {
    const { ports, calls, waits } = createPorts({ digests: [new FileReadTimeoutError()] });
    await runUpload(RECORD, FILE, ports, signal);
    expect(waits).toHaveLength(1);
    expect(calls.filter((call) => call === 'u0')).toHaveLength(1);
    const lost = createPorts({ digests: Array.from({ length: 20 }, () => new FileReadTimeoutError()) });
    await expect(runUpload(RECORD, FILE, lost.ports, signal)).rejects.toThrow(FileReadTimeoutError);
    expect(lost.waits).toHaveLength(7);
    expect(lost.calls).toEqual(['create upload-1']);
  });

  it('sends all parts while the storage of the browser does not respond', async () => {
    const { ports, calls } = createPorts();
    const save = (record: UploadRecord) =>
      record.state === 'sent' ? Promise.resolve() : new Promise<void>(() => {});
    expect(await runUpload(RECORD, FILE, { ...ports, save }, signal)).toMatchObject({ state: 'sent' });
    expect(calls.at(-1)).toBe('complete job-1 etag-u0,etag-u1,etag-u2');
  });

  it('stops when it is paused while it waits', async () => {
    const controller = new AbortController();
    const { ports, calls } = createPorts({ parts: [new PartUploadError(0)] });
    const paused = new Error('paused');
    const wait = async () => {
      controller.abort(paused);
      throw paused;
    };
    await expect(runUpload(RECORD, FILE, { ...ports, wait }, controller.signal)).rejects.toBe(paused);
    expect(calls).toEqual(['create upload-1', 'u0']);
  });
});
