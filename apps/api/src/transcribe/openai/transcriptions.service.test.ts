import { Readable } from 'node:stream';
import { DEFAULT_JOB_OPTIONS, type OpenJobQuotaAmounts } from '@app/jobs';
import { ServiceError } from '@app/errors';
import { expect, it, vi } from 'vitest';
import type { ApiOptions } from '../../api-options.js';
import { StreamedAudioJobService } from '../streamed-audio-job.service.js';
import type { QuotaCheck } from '../../quotas/quota-check.js';
import { TranscriptionsService } from './transcriptions.service.js';

const VOCABULARY = ['Ada', 'Grace'];
const CALLER = { accountId: 'a', keyId: 'k' };

async function buildFormRequest() {
  const form = new FormData();
  form.set('model', 'zephyr');
  form.set('file', new Blob(['audio']), 'talk.wav');
  const { headers, body } = new Response(form);
  return {
    headers: { 'content-type': headers.get('content-type') ?? '' },
    body: Readable.from(Buffer.from(await new Response(body).arrayBuffer())),
  };
}

const unused = undefined as never;

function createServices(quotas: Pick<QuotaCheck, 'admit'>) {
  const credit = { assertCreditOrRecharge: async () => undefined };
  const jobs = new StreamedAudioJobService(
    unused,
    unused,
    unused,
    credit as never,
    quotas as never,
    unused,
    unused,
  );
  vi.spyOn(jobs, 'storeAudio').mockImplementation(async (_, bytes) => {
    for await (const chunk of bytes) expect(chunk.byteLength).toBeGreaterThan(0);
    return { size: 5, etag: 'e' } as never;
  });
  const deleteAudio = vi.spyOn(jobs, 'deleteAudio').mockResolvedValue();
  const createQueuedJob = vi.spyOn(jobs, 'createQueuedJob').mockResolvedValue();
  const options = { ...DEFAULT_JOB_OPTIONS, custom_vocabulary: VOCABULARY };
  const service = new TranscriptionsService(
    jobs,
    { toValidatedRequest: async () => ({ options, metadata: null }) } as never,
    { bodies: { run: (_: string, read: () => unknown) => read() } } as never,
    unused,
    unused,
    { audioBodyBytes: 1_000, minTransferRate: { idleTimeoutMs: 10_000, bytesPerSecond: 0 } } as ApiOptions,
  );
  return { service, deleteAudio, createQueuedJob };
}

const admitAll = { admit: async <T>(_: string, _amounts: unknown, create: () => Promise<T>) => create() };

it('the vocabulary of a form counts for the quota, and its audio is deleted if it exceeds it', async () => {
  const admitted: (number | undefined)[] = [];
  const { service, deleteAudio, createQueuedJob } = createServices({
    admit: async (_, { vocabularyBytes }: Partial<OpenJobQuotaAmounts>, create) => {
      admitted.push(vocabularyBytes);
      if (vocabularyBytes !== 0) throw new ServiceError('quota_exceeded');
      return create();
    },
  });
  const onJobMayExist = vi.fn();
  const created = service.createJobFromForm(CALLER, (await buildFormRequest()) as never, onJobMayExist);
  await expect(created).rejects.toMatchObject({ code: 'quota_exceeded' });
  expect(admitted).toEqual([0, JSON.stringify(VOCABULARY).length]);
  expect(createQueuedJob).not.toHaveBeenCalled();
  expect(deleteAudio).toHaveBeenCalledOnce();
  expect(onJobMayExist).not.toHaveBeenCalled();
});

it('the job of a form may exist when the outcome of its commit is unknown', async () => {
  const { service, createQueuedJob } = createServices(admitAll);
  createQueuedJob.mockRejectedValue(new Error('Connection terminated'));
  const onJobMayExist = vi.fn();
  const created = service.createJobFromForm(CALLER, (await buildFormRequest()) as never, onJobMayExist);
  await expect(created).rejects.toThrow('Connection terminated');
  expect(onJobMayExist).toHaveBeenCalledExactlyOnceWith(createQueuedJob.mock.calls[0]?.[0]);
});

it('a form without a file has no audio to delete', async () => {
  const { service, deleteAudio } = createServices(admitAll);
  const request = {
    headers: { 'content-type': 'multipart/form-data; boundary="edge"' },
    body: Readable.from(['--edge--']),
  };
  const created = service.createJobFromForm(CALLER, request as never, vi.fn());
  await expect(created).rejects.toMatchObject({ code: 'validation_failed' });
  expect(deleteAudio).not.toHaveBeenCalled();
});
