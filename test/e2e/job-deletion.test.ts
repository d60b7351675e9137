import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, silentWav, synthesizeSpeech } from './support/audio.js';
import { type Client, expectStatus, type JobEvent } from './support/client.js';
import { expectProblem } from './support/problem.js';
import { Service } from './support/service.js';
import { transcribeStreamed } from './support/streamed-transcription.js';
import { until } from './support/until.js';

const TEXT = 'There are ninety tables between the office and the bridge.';

/** Short chunks and a low threshold for small files: a few seconds of speech produce several steps. */
const SETTINGS = {
  CHUNK_SECONDS: '5',
  CHUNK_MAX_SECONDS: '10',
  SMALL_FILE_BYTES: '1024',
  LEASE_SECONDS: '10',
};

const DELETED_EVENT = { step: 'cancelled', reason: 'The job was deleted.' };

let service: Service;
let client: Client;
let short: Bytes;
let long: Bytes;

beforeAll(async () => {
  service = await Service.start(SETTINGS);
  client = await service.client();
  [short, long] = [
    await synthesizeSpeech('Good morning.'),
    await synthesizeSpeech(Array(12).fill(TEXT).join(' ')),
  ];
});
afterAll(() => service?.stop());

const deleteJob = (jobId: string, caller = client) => caller.send('DELETE', `/api/v1/jobs/${jobId}`);
interface AccountFigures {
  credits: { balance: number; held: number };
  today: { jobs_created: number; jobs_completed: number; audio_seconds: number; credits_charged: number };
}
const readAccount = async () =>
  expectStatus<AccountFigures>(200, await client.send('GET', '/api/v1/account'));
const readCredits = async () => (await readAccount()).credits;
const countFiles = async (jobId: string) =>
  (await readdir(service.dataDir, { recursive: true })).filter((path) => path.includes(jobId)).length;

async function expectGone(jobId: string): Promise<void> {
  expectProblem(await client.send('GET', `/api/v1/jobs/${jobId}`), 404, 'job_not_found');
  expectProblem(await client.send('GET', `/api/v1/jobs/${jobId}/transcript`), 404, 'job_not_found');
  expectProblem(await client.send('GET', `/api/v1/jobs/${jobId}/stream`), 404, 'job_not_found');
  expectProblem(await deleteJob(jobId), 404, 'job_not_found');
  const { jobs } = expectStatus<{ jobs: { job_id: string }[] }>(
    200,
    await client.send('GET', '/api/v1/jobs'),
  );
  expect(jobs.map(({ job_id }) => job_id)).not.toContain(jobId);
}

describe('DELETE /api/v1/jobs/{job_id}', () => {
  it('deletes a completed job at once with its transcript, and its charge stays, which usage no longer counts', async () => {
    const { job_id, download_url } = await client.submit(short, { custom_vocabulary: ['Aurelia'] });
    await client.events(job_id);
    expectStatus(200, await client.send('GET', `/api/v1/jobs/${job_id}/transcript?format=json`));
    const { credits, today } = await readAccount();
    expect(today).toMatchObject({ jobs_created: 1, jobs_completed: 1 });
    expect(today.credits_charged).toBeGreaterThan(0);
    expect(await deleteJob(job_id.toUpperCase())).toMatchObject({ status: 204, text: '' });
    await expectGone(job_id);
    expect((await client.download(download_url)).status).toBe(404);
    expect(await countFiles(job_id)).toBe(0);
    expect(await readAccount()).toMatchObject({
      credits,
      today: { jobs_created: 0, jobs_completed: 0, audio_seconds: 0, credits_charged: 0 },
    });
  });

  it('ends a job that is being processed, its stream included, and releases what is held', async () => {
    const { job_id } = await client.submit(long);
    const events: JobEvent[] = [];
    for await (const event of client.stream(job_id, { lastEventId: '0' })) {
      if (event.name === '') continue;
      events.push(event);
      if (events.length === 1) expect((await deleteJob(job_id)).status).toBe(204);
    }
    expect(events.at(-1)).toMatchObject({ name: 'failed', data: DELETED_EVENT });
    await expectGone(job_id);
    expect((await readCredits()).held).toBe(0);
    await until('nothing of the job is stored', async () => (await countFiles(job_id)) === 0, 60_000);
    const { job_id: next } = await client.submit(short);
    expect((await client.events(next)).at(-1)?.name, 'the processor continues').toBe('completed');
  });

  it('ends a pending upload, whose signed URL then stores nothing that stays', async () => {
    const { job_id, upload_url, content_type } = await client.create({ file_size: short.length });
    expect((await deleteJob(job_id)).status).toBe(204);
    await expectGone(job_id);
    expect((await client.put(upload_url, short, content_type)).status).toBe(403);
    expectProblem(await client.complete(job_id), 404, 'job_not_found');
    expect(await countFiles(job_id)).toBe(0);
  });

  it('ends the response of a one-request transcription', async () => {
    const stream = await transcribeStreamed(client, long);
    const messages: { event: string; data: string }[] = [];
    for await (const message of stream.messages()) {
      messages.push(message);
      if (message.event !== 'accepted') continue;
      const { job_id } = JSON.parse(message.data) as { job_id: string };
      expect((await deleteJob(job_id)).status).toBe(204);
    }
    const last = messages.at(-1);
    expect(last?.event).toBe('failed');
    expect(JSON.parse(last?.data ?? '')).toEqual(DELETED_EVENT);
  });

  it.each([
    ['the Content-Type of JSON and no body', null],
    ['a body', '{"job_id":"other"}'],
  ])('accepts %s, as some clients send it', async (_, body) => {
    const { job_id } = await client.create({ file_size: 10 });
    const init = { headers: { 'Content-Type': 'application/json' }, ...(body !== null && { body }) };
    const response = await client.send('DELETE', `/api/v1/jobs/${job_id}`, init);
    expect(response.status, response.text).toBe(204);
    await expectGone(job_id);
  });

  it('answers 404 to an unknown or malformed id, and for a job of another account', async () => {
    const { job_id } = await client.submit(silentWav(1));
    const stranger = await service.client((await service.openAccount(10)).api_key);
    expectProblem(await deleteJob(job_id, stranger), 404, 'job_not_found');
    for (const id of ['0193a5c0-0000-7000-8000-000000000000', 'nothing', 'cancel'])
      expectProblem(await deleteJob(id), 404, 'job_not_found');
    expect((await client.job(job_id)).job_id).toBe(job_id);
  });
});
