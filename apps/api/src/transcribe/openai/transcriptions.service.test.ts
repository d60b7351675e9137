import { Readable } from 'node:stream';
import { DEFAULT_JOB_OPTIONS, type OpenJobQuotaAmounts } from '@app/jobs';
import { ServiceError } from '@app/errors';
import { expect, it, vi } from 'vitest';
import type { ApiOptions } from '../../api-options.js';
import { StreamedAudioJobService } from '../streamed-audio-job.service.js';
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

it('the vocabulary of a form counts for the quota, and its audio is deleted if it exceeds it', async () => {
  const admitted: (number | undefined)[] = [];
  const quotas = {
    admit: (_: string, { vocabularyBytes }: Partial<OpenJobQuotaAmounts>, create: () => unknown) => {
      admitted.push(vocabularyBytes);
      if (vocabularyBytes !== 0) throw new ServiceError('quota_exceeded');
      return create();
    },
  };
  const unused = undefined as never;
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
  const created = service.createJobFromForm(CALLER, (await buildFormRequest()) as never);
  await expect(created).rejects.toMatchObject({ code: 'quota_exceeded' });
  expect(admitted).toEqual([0, JSON.stringify(VOCABULARY).length]);
  expect(createQueuedJob).not.toHaveBeenCalled();
  expect(deleteAudio).toHaveBeenCalledOnce();
});
