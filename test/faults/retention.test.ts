import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleRecording, silentWav, synthesizeSpeech } from '../e2e/support/audio.js';
import { type Client, expectStatus } from '../e2e/support/client.js';
import { abortMultipart, createMultipart, putPart, statusOf } from '../e2e/support/multipart.js';
import { listStoredFiles } from '../e2e/support/data-dir.js';
import { openTranscribeRequest } from '../e2e/support/streamed-transcription.js';
import { Service } from '../e2e/support/service.js';
import { startSlowPut } from '../e2e/support/slow-put.js';
import { until } from '../e2e/support/until.js';

const MIB = 2 ** 20;
const DELETION_TIMEOUT_MS = 90_000;

let service: Service;
let client: Client;

beforeAll(async () => {
  service = await Service.start({
    LEASE_SECONDS: '3',
    SWEEP_SECONDS: '1',
    STORE_SCAN_SECONDS: '1',
    UNNEEDED_AUDIO_SECONDS: '5',
    UPLOAD_URL_SECONDS: '10',
    MULTIPART_URL_SECONDS: '10',
    SMALL_FILE_BYTES: '1024',
  });
  client = await service.client();
});
afterAll(() => service?.stop());

/** The paths of all files in the store. */
async function listStored(): Promise<string[]> {
  const root = join(service.dataDir, 'objects');
  return (await listStoredFiles(service.dataDir)).map((path) => relative(root, path));
}

/** Waits until the store contains only the transcripts of these jobs. */
const waitUntilOnlyTranscripts = (...jobIds: string[]) =>
  until(
    'only transcripts are left',
    async () => {
      const remaining = await listStored();
      const transcripts = remaining.filter((path) => path.startsWith('objects/transcripts/'));
      const hasTranscripts = jobIds.every((id) => transcripts.some((path) => path.includes(id)));
      return (
        hasTranscripts && remaining.every((path) => jobIds.some((id) => path.includes(`transcripts/${id}`)))
      );
    },
    DELETION_TIMEOUT_MS,
  );

const completedJobIds: string[] = [];

describe('§8 audio retention', () => {
  it('the store contains only transcripts after jobs completed, failed, expired, or were cancelled or aborted', async () => {
    const expired = await client.upload(silentWav(1));
    const parts = await createMultipart(client, { file_size: 1 });
    await putPart(client, parts, 1, silentWav(1));
    const aborted = await createMultipart(client, { file_size: 1 });
    await putPart(client, aborted, 1, silentWav(1));
    const cancelled = await client.submit(await sampleRecording());
    const failed = await client.submit(new Uint8Array(2_000).fill(7));
    const good = await client.submit(await synthesizeSpeech('Good morning.'), { output_type: 'txt' });
    expect(statusOf(await abortMultipart(client, aborted.job_id))).toBe('aborted');
    expect(statusOf(await client.post('/jobs/cancel', { job_id: cancelled.job_id }))).toBe('cancelled');
    const ends = await Promise.all(
      [expired, parts, aborted, cancelled, failed, good].map(async ({ job_id }) => {
        await client.events(job_id);
        const { status, failed_stage } = await client.job(job_id);
        return failed_stage ?? status;
      }),
    );
    expect(ends).toEqual(['upload', 'upload', 'upload', 'cancelled', 'preprocess', 'completed']);
    completedJobIds.push(good.job_id);
    await waitUntilOnlyTranscripts(...completedJobIds);
    expect((await client.download(good.download_url)).status).toBe(200);
  });

  it('the store contains only transcripts after API and processor were killed during uploads', async () => {
    const before = (await listStored()).length;
    const created = await client.create({ file_size: 1 });
    const put = startSlowPut(created.upload_url, created.content_type, 10 * MIB);
    await put.send(silentWav(10));
    const multipart = await createMultipart(client, { file_size: 1 });
    const part = startSlowPut(multipart.parts[0]?.url ?? '', 'application/octet-stream', 10 * MIB);
    await part.send(silentWav(10));
    const transcribeRequest = openTranscribeRequest(client);
    transcribeRequest.on('error', () => undefined);
    transcribeRequest.write(silentWav(10));
    await until('three bodies are being written', async () => {
      const names = await listStored();
      return names.filter((name) => name.startsWith('tmp/')).length >= 3 && names.length >= before + 3;
    });
    const { job_id } = await client.submit(await sampleRecording());
    await service.kill('processor', 'SIGKILL');
    await service.kill('api', 'SIGKILL');
    for (const upload of [put, part]) await expect(upload.pendingResponse).rejects.toThrow();
    transcribeRequest.destroy();

    const end = await until(
      'the job ends',
      async () => (await client.events(job_id)).at(-1),
      DELETION_TIMEOUT_MS,
    );
    expect(end.name).toBe('completed');
    completedJobIds.push(job_id);
    await waitUntilOnlyTranscripts(...completedJobIds);
    const { jobs } = expectStatus<{ jobs: { job_id: string }[] }>(
      200,
      await client.send('GET', '/api/v1/jobs'),
    );
    const open = await Promise.all(jobs.map(async ({ job_id: id }) => (await client.job(id)).status));
    expect(open).not.toContain('processing');
  });
});
