import { type ObjectStore, StoreUnavailableError } from '@app/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiOptions } from '../../apps/api/src/api-options.js';
import { MultipartUploadCreationService } from '../../apps/api/src/uploads/multipart-creation.service.js';
import { MultipartCompletionAndAbortService } from '../../apps/api/src/uploads/multipart-completion-and-abort.service.js';
import { DEFAULT_JOB_OPTIONS } from '@app/jobs';
import { createJobWorld, type World } from '../support/job-world.js';
import { type ObjectServer, startObjectServer } from '../support/object-server.js';

const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';
const LIMITS = { multipartBytes: 1_000, multipartSeconds: 3_600, deadlineSeconds: 60 } as ApiOptions;

let world: World;
let server: ObjectServer;
let caller: { accountId: string; keyId: string };

beforeAll(async () => {
  world = await createJobWorld();
  server = await startObjectServer();
  caller = { accountId: world.accountId, keyId: 'k' };
});
afterAll(async () => {
  await server.close();
  await world.close();
});

/** Replacements of calls to the store. */
type Interceptions = { [M in 'createMultipart' | 'completeMultipart' | 'abortMultipart']?: Interception };
type Interception = (callStore: () => Promise<unknown>) => Promise<unknown>;

let interceptions: Interceptions;
beforeEach(() => void (interceptions = {}));

const store = () =>
  new Proxy<ObjectStore>(server.store, {
    get(target, name: keyof ObjectStore) {
      const method = target[name];
      if (typeof method !== 'function') return method;
      const call = (method as (...args: unknown[]) => Promise<unknown>).bind(target);
      return (...args: unknown[]) => {
        const interception = interceptions[name as keyof Interceptions];
        return interception ? interception(() => call(...args)) : call(...args);
      };
    },
  });

const createCreationService = () =>
  new MultipartUploadCreationService(
    world.dataSource,
    store(),
    { forPendingJob: () => 'http://x/' } as never,
    { toValidatedRequest: async () => ({ options: DEFAULT_JOB_OPTIONS, metadata: null }) } as never,
    { assertCreditOrRecharge: async () => undefined } as never,
    { admit: (_: string, _amounts: object, create: () => unknown) => create() } as never,
    LIMITS,
  );
const createCompletionService = () =>
  new MultipartCompletionAndAbortService(
    world.dataSource,
    world.hooks,
    store(),
    { send() {} } as never,
    LIMITS,
  );

const readJob = (id: string) =>
  world.row('SELECT status, failed_stage, queued_at IS NOT NULL AS queued FROM job WHERE id = $1', id);
const failUnavailable = () => Promise.reject(new StoreUnavailableError('no route to the store'));

async function createUploadWithPart() {
  const { job_id, parts } = await createCreationService().createUpload(caller, { file_size: 3 });
  const response = await fetch(parts[0]?.url ?? '', { method: 'PUT', body: 'abc' });
  return { job_id, parts: [{ part_number: 1, etag: response.headers.get('etag') ?? '' }] };
}

describe('aborting a multipart upload', () => {
  it('an abort during the completion at the store wins, and the completed object is deleted', async () => {
    const upload = await createUploadWithPart();
    interceptions.completeMultipart = async (callStore) => {
      const stored = await callStore();
      expect(await createCompletionService().abortUpload(caller, upload.job_id)).toEqual({
        status: 'aborted',
      });
      return stored;
    };
    expect(await createCompletionService().completeUpload(caller, upload)).toEqual({ status: 'failed' });
    expect(await server.store.head(`audio/${upload.job_id}`)).toBeNull();
    expect(await readJob(upload.job_id)).toEqual({ status: 'failed', failed_stage: 'upload', queued: false });
  });

  it('an abort whose deletion precedes the completion at the store leaves no object', async () => {
    const upload = await createUploadWithPart();
    interceptions.abortMultipart = () => Promise.resolve();
    interceptions.completeMultipart = async (callStore) => {
      await createCompletionService().abortUpload(caller, upload.job_id);
      return callStore();
    };
    expect(await createCompletionService().completeUpload(caller, upload)).toEqual({ status: 'failed' });
    expect(await server.store.head(`audio/${upload.job_id}`)).toBeNull();
  });

  it('a completion that reaches the store after an abort returns the status of the job', async () => {
    const upload = await createUploadWithPart();
    interceptions.completeMultipart = async (callStore) => {
      await createCompletionService().abortUpload(caller, upload.job_id);
      return callStore();
    };
    expect(await createCompletionService().completeUpload(caller, upload)).toEqual({ status: 'failed' });
    expect(await createCompletionService().abortUpload(caller, upload.job_id)).toEqual({ status: 'aborted' });
  });

  it('an abort after the completion changes nothing', async () => {
    const upload = await createUploadWithPart();
    expect(await createCompletionService().completeUpload(caller, upload)).toEqual({ status: 'queued' });
    expect(await createCompletionService().abortUpload(caller, upload.job_id)).toEqual({
      status: 'processing',
    });
    expect(await server.store.head(`audio/${upload.job_id}`)).toMatchObject({ size: 3 });
  });

  it('an abort succeeds although the store is unavailable', async () => {
    const upload = await createUploadWithPart();
    interceptions.abortMultipart = failUnavailable;
    expect(await createCompletionService().abortUpload(caller, upload.job_id)).toEqual({ status: 'aborted' });
    expect(await readJob(upload.job_id)).toMatchObject({ status: 'failed' });
  });
});

describe('completing a multipart upload', () => {
  it('a completion that failed between the store and the row is finished by a repeated request', async () => {
    const upload = await createUploadWithPart();
    interceptions.completeMultipart = async (callStore) => {
      await callStore();
      throw new Error('the process ended here');
    };
    await expect(createCompletionService().completeUpload(caller, upload)).rejects.toThrow('ended here');
    expect(await readJob(upload.job_id)).toMatchObject({ status: 'processing', queued: false });
    interceptions = {};
    expect(await createCompletionService().completeUpload(caller, upload)).toEqual({ status: 'queued' });
  });

  it('a completion that found the store unavailable can be repeated', async () => {
    const upload = await createUploadWithPart();
    interceptions.completeMultipart = failUnavailable;
    await expect(createCompletionService().completeUpload(caller, upload)).rejects.toThrow(
      StoreUnavailableError,
    );
    interceptions = {};
    expect(await createCompletionService().completeUpload(caller, upload)).toEqual({ status: 'queued' });
  });
});

describe('creating a multipart upload', () => {
  const jobs = () => world.rows<{ id: string }>('SELECT id FROM job');

  it('an unavailable store leaves no job', async () => {
    const before = await jobs();
    interceptions.createMultipart = failUnavailable;
    await expect(createCreationService().createUpload(caller, { file_size: 3 })).rejects.toThrow(
      StoreUnavailableError,
    );
    expect(await jobs()).toEqual(before);
  });

  it('the row is written after the store has created the upload and before the response', async () => {
    const before = await jobs();
    interceptions.createMultipart = async (callStore) => {
      const uploadId = await callStore();
      expect(await jobs()).toEqual(before);
      return uploadId;
    };
    const { job_id, upload_id } = await createCreationService().createUpload(caller, { file_size: 3 });
    const row = await world.row(
      `SELECT upload_id, status, upload_expires_at > now() + interval '59 minutes' AS alive FROM job WHERE id = $1`,
      job_id,
    );
    expect(row).toEqual({ upload_id, status: 'processing', alive: true });
  });

  it('a rejected row aborts its upload', async () => {
    const aborted: unknown[] = [];
    interceptions.abortMultipart = async (callStore) => {
      aborted.push(await callStore());
    };
    const unknownCaller = { accountId: UNKNOWN, keyId: 'k' };
    await expect(createCreationService().createUpload(unknownCaller, { file_size: 3 })).rejects.toMatchObject(
      {
        code: 'invalid_api_key',
      },
    );
    expect(aborted).toHaveLength(1);
  });

  it('an upload whose row may exist is not aborted', async () => {
    let aborted = false;
    interceptions.abortMultipart = async () => void (aborted = true);
    const upload = createCreationService().createUpload(caller, { file_size: 3 }, () =>
      Promise.reject(new Error('Connection terminated')),
    );
    await expect(upload).rejects.toThrow('terminated');
    expect(aborted).toBe(false);
  });
});
