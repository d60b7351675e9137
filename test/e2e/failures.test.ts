import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ADDED_FIELDS } from './support/added-fields.js';
import { type Bytes, silentWav, synthesizeSpeech } from './support/audio.js';
import { type Client, type CreatedJob, expectStatus } from './support/client.js';
import { expectTranscriptDocument } from './support/transcript-document.js';
import { expectContiguous } from './support/events.js';
import { expectProblem } from './support/problem.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';

const UPLOAD_SECONDS = 10;
/** Well below the 15 seconds by which a ping extends an upload. */
const PING_MS = 3_000;

let service: Service;
let client: Client;
let audio: Bytes;
/** Two uploads that are never completed, created first so that they expire while the other tests run. */
let abandoned: CreatedJob;
let pinged: CreatedJob;
let pingTimer: NodeJS.Timeout;
/** The time in seconds between the only ping of an upload and its expiry. */
let afterOnePing: Promise<number>;

beforeAll(async () => {
  service = await Service.start({
    ...inject('engineSettings'),
    UPLOAD_URL_SECONDS: String(UPLOAD_SECONDS),
    LEASE_SECONDS: '3',
    SWEEP_SECONDS: '1',
  });
  client = await service.client();
  audio = await synthesizeSpeech('I can see the library from the small mountain.');
  abandoned = await client.create({ file_size: audio.length });
  pinged = await client.upload(audio);
  const ping = () => void client.progress(pinged.job_id).catch(() => undefined);
  ping();
  pingTimer = setInterval(ping, PING_MS);
  afterOnePing = measureLifetimeAfterOnePing();
});
afterAll(async () => {
  clearInterval(pingTimer);
  await service?.stop();
});

async function measureLifetimeAfterOnePing(): Promise<number> {
  const { job_id } = await client.create({ file_size: 10 });
  const startedAt = Date.now();
  await client.progress(job_id);
  await client.events(job_id);
  return (Date.now() - startedAt) / 1_000;
}

describe('decisions: invalid audio', () => {
  const encodeText = (content: string): Bytes => new TextEncoder().encode(content) as Bytes;
  const randomBytes = (): Bytes =>
    Uint8Array.from({ length: 20_000 }, (_, index) => (index * 7919 + index * index * 31) % 251);

  it.each([
    ['random bytes', randomBytes],
    ['a text', () => encodeText('This is not a recording. '.repeat(100))],
    ['a playlist', () => encodeText('#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n')],
    ['a header without audio data', () => silentWav(1).slice(0, 44)],
    ['one byte', () => encodeText('x')],
  ])('%s fails at preprocess with a readable reason', async (_, bytes) => {
    const { job_id, download_url } = await client.submit(bytes());
    const events = await client.events(job_id);
    expectContiguous(events);
    const end = events.at(-1);
    expect(end?.name).toBe('failed');
    expect(end?.data).toEqual({
      step: 'preprocess',
      reason: expect.stringMatching(/^[A-Z][\w ,;:'()-]+\.$/),
    });
    expect(await client.job(job_id)).toEqual({
      job_id,
      status: 'failed',
      download_url: null,
      failed_stage: 'preprocess',
      reason: end?.data['reason'],
      ...ADDED_FIELDS,
    });
    const { detail } = expectProblem(await client.download(download_url), 404, 'object_not_found');
    expect(detail).toBe(
      `There will be no transcript: the job failed at preprocess. ${String(end?.data['reason'])}`,
    );
    expect(expectStatus(200, await client.complete(job_id))).toEqual({ status: 'failed' });
    expect(expectStatus(200, await client.progress(job_id))).toEqual({ status: 'failed' });
  });

  it('silence completes with an empty transcript', async () => {
    const { job_id, download_url } = await client.submit(silentWav(3));
    expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
    const document = expectTranscriptDocument((await client.download(download_url)).text, job_id);
    expect(document).toMatchObject({ text: '', segments: [], speakers: [] });
    expect(document.duration).toBeCloseTo(3, 2);
    expect(document.warnings).toMatchObject([{ code: 'no_speech', segment_id: null }]);
  });

  it('silence completes in every other format', async () => {
    for (const output_type of ['txt', 'srt', 'vtt']) {
      const { job_id, download_url } = await client.submit(silentWav(1), { output_type });
      expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
      expect((await client.download(download_url)).text.trim()).toBe(output_type === 'vtt' ? 'WEBVTT' : '');
    }
  });
});

describe('decisions: credits', () => {
  const callers = new Map<number, Client[]>();
  /** A caller with this many credits and no requests so far. */
  const takeCaller = (credits: number): Client => {
    const unused = callers.get(credits)?.pop();
    if (!unused) throw new Error(`no caller with ${credits} credits is left`);
    return unused;
  };

  beforeAll(async () => {
    const opening = [0, 1, 1, 2].map(async (credits) => {
      const opened = await service.client((await service.openAccount(credits)).api_key);
      callers.set(credits, [...(callers.get(credits) ?? []), opened]);
    });
    await Promise.all(opening);
  });

  const runJob = async (payer: Client, bytes: Bytes) => {
    const { job_id } = await payer.submit(bytes);
    return (await payer.events(job_id)).at(-1);
  };

  it('§7 an account without credits gets 402 at creation and can still read', async () => {
    const payer = takeCaller(1);
    const { job_id } = await payer.submit(silentWav(1));
    expect((await payer.events(job_id)).at(-1)?.name).toBe('completed');
    expectProblem(await payer.post('/upload', { file_size: 10 }), 402, 'insufficient_credits');
    expect((await payer.job(job_id)).status).toBe('completed');
    expectProblem(await takeCaller(0).post('/upload', { file_size: 10 }), 402, 'insufficient_credits');
  });

  it('a job that exceeds the balance fails at billing and charges nothing', async () => {
    const payer = takeCaller(2);
    const end = await runJob(payer, silentWav(3));
    expect(end).toMatchObject({ name: 'failed', data: { step: 'billing', reason: /credit/ } });
    // Both credits are unspent: this uses the last one.
    expect((await runJob(payer, silentWav(2)))?.name).toBe('completed');
    expectProblem(await payer.post('/upload', { file_size: 10 }), 402, 'insufficient_credits');
  });

  it('a failed job costs nothing', async () => {
    const payer = takeCaller(1);
    expect((await runJob(payer, new Uint8Array(100)))?.name).toBe('failed');
    expect((await runJob(payer, silentWav(1)))?.name).toBe('completed');
    expectProblem(await payer.post('/upload', { file_size: 10 }), 402, 'insufficient_credits');
  });
});

describe('decisions: an upload that is not completed in time', () => {
  it('fails at stage upload when its signed URL expires', async () => {
    const end = (await client.events(abandoned.job_id)).at(-1);
    expect(end).toMatchObject({ id: '1', name: 'failed', data: { step: 'upload' } });
    expect(await client.job(abandoned.job_id)).toMatchObject({ status: 'failed', failed_stage: 'upload' });
    expectProblem(await client.put(abandoned.upload_url, audio, abandoned.content_type), 403);
    expect(expectStatus(200, await client.complete(abandoned.job_id))).toEqual({ status: 'failed' });
  });

  it('§4.2 a progress call keeps the upload open for about fifteen seconds', async () => {
    const seconds = await afterOnePing;
    expect(seconds).toBeGreaterThan(14);
    expect(seconds).toBeLessThan(25);
  });

  it('§4.2 progress calls keep an upload open beyond its URL, so that a late complete succeeds', async () => {
    const expired = await client.put(pinged.upload_url, audio, pinged.content_type);
    expectProblem(expired, 403);
    expect(expectStatus(200, await client.complete(pinged.job_id))).toEqual({ status: 'queued' });
    await until('it is transcribed', async () => (await client.job(pinged.job_id)).status === 'completed');
  });
});
