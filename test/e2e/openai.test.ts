import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, dialogueWav, silentWav, synthesizeSpeech, splitWords } from './support/audio.js';
import type { Client } from './support/client.js';
import {
  CLOSING_BOUNDARY,
  catchApiError,
  formField,
  fileFieldHeader,
  createOpenAiClient,
  sendForm,
  toWavFile,
} from './support/openai.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';

const TEXT = 'There are ninety tables between the office and the bridge.';
const SECONDS = /^\d+(\.\d{1,3})?$/;
const run = promisify(execFile);

let service: Service;
let openai: OpenAI;
let client: Client;
let audio: Bytes;
let file: File;
/** For jobs of which only the end matters. */
let silence: File;

beforeAll(async () => {
  service = await Service.start({ STREAM_HEARTBEAT_SECONDS: '1' });
  [openai, client] = [await createOpenAiClient(service), await service.client()];
  audio = await synthesizeSpeech(TEXT);
  [file, silence] = [await toWavFile(audio), await toWavFile(silentWav(1))];
});
afterAll(() => service?.stop());

const create = (params: object = {}) =>
  openai.audio.transcriptions.create({ file, model: 'whisper-1', ...params });
const expectSpokenWords = (text: string) =>
  expect(splitWords(text)).toEqual(expect.arrayContaining(['tables', 'office', 'bridge']));

/** A separate account, whose jobs are all created by the test. */
async function newCaller(credits = 1_000) {
  const { api_key } = await service.openAccount(credits);
  return {
    openai: await createOpenAiClient(service, api_key),
    client: await service.client(api_key),
    api_key,
  };
}

async function waitForOnlyJob(caller: Client): Promise<string> {
  const [id = '', ...more] = await until('the job is created', async () => {
    const found = await caller.listJobIds();
    return found.length > 0 && found;
  });
  expect(more).toEqual([]);
  return id;
}

describe('POST /v1/audio/transcriptions with the official client', () => {
  it('json is returned on request and by default', async () => {
    const { data, response } = await create({ language: 'en', temperature: 0.2 }).withResponse();
    expectSpokenWords(data.text);
    expect(Object.keys(data)).toEqual(['text', 'usage']);
    expect(data.usage).toEqual({ type: 'duration', seconds: expect.any(Number) });
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('ratelimit-limit')).toBe('12000');
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/);
    const { status, download_url } = await client.job(response.headers.get('x-job-id') ?? '');
    expect(status).toBe('completed');
    const document = JSON.parse((await client.download(download_url ?? '')).text) as { text: string };
    expect(document.text).toBe(data.text);
  });

  it('verbose_json contains segments', async () => {
    const response = await create({ response_format: 'verbose_json' });
    const { text, duration, segments, words, ...rest } =
      response as unknown as OpenAI.Audio.TranscriptionVerbose;
    expectSpokenWords(text);
    expect(duration).toBeCloseTo((audio.length - 44) / 32_000, 1);
    expect(rest).toMatchObject({ task: 'transcribe', language: expect.stringMatching(/^[a-z]+$/) });
    expect(words).toBeUndefined();
    expect(segments?.map((segment) => segment.text).join('')).toBe(text);
    for (const { start, end, ...numbers } of segments ?? []) {
      expect(start).toBeLessThan(end);
      expect(end).toBeLessThanOrEqual(duration);
      for (const name of ['id', 'seek', 'temperature', 'avg_logprob', 'compression_ratio', 'no_speech_prob'])
        expect(numbers).toHaveProperty(name, expect.any(Number));
    }
  });

  it('verbose_json contains words with times relative to the file', async () => {
    const response = await create({ response_format: 'verbose_json', timestamp_granularities: ['word'] });
    const { text, words = [], segments } = response as unknown as OpenAI.Audio.TranscriptionVerbose;
    expect(segments).toBeUndefined();
    expect(words.map(({ word }) => word).join(' ')).toBe(text);
    const times = words.flatMap(({ start, end }) => [start, end]);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    for (const time of times) expect(String(time)).toMatch(SECONDS);
  });

  it('text, srt and vtt are returned with their content types', async () => {
    const createText = async (response_format: string) =>
      (await create({ response_format })) as unknown as string;
    const text = await createText('text');
    expect(text).toMatch(/^[^[{]+\n$/);
    expectSpokenWords(text);
    const srt = await createText('srt');
    expect(srt).toMatch(/^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\n/);
    expectSpokenWords(srt);
    expect(srt).not.toContain('SPEAKER');
    const vtt = await createText('vtt');
    expect(vtt).toMatch(/^WEBVTT\n\n1\n00:00:00\.\d{3} --> /);
    expectSpokenWords(vtt);
  });

  it('diarized_json distinguishes the two speakers of a dialogue', async () => {
    const response = await openai.audio.transcriptions.create({
      file: new File([await dialogueWav()], 'dialogue.wav'),
      model: 'gpt-4o-transcribe-diarize',
      response_format: 'diarized_json',
      chunking_strategy: 'auto',
    });
    const { segments } = response as unknown as OpenAI.Audio.TranscriptionDiarized;
    expect(new Set(segments.map(({ speaker }) => speaker))).toEqual(new Set(['SPEAKER_1', 'SPEAKER_2']));
  });

  it('silence returns an empty text', async () => {
    expect((await create({ file: await toWavFile(silentWav(2)) })).text).toBe('');
  });

  it('stream=true returns deltas and the whole text', async () => {
    const stream = await service.whileStopped('processor', () =>
      openai.audio.transcriptions.create({ file, model: 'zephyr', stream: true }),
    );
    const events: OpenAI.Audio.TranscriptionStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    const done = events.pop() as OpenAI.Audio.TranscriptionTextDoneEvent;
    expect(done.type).toBe('transcript.text.done');
    expectSpokenWords(done.text);
    expect(events.map((event) => ('delta' in event ? event.delta : event.type)).join('')).toBe(done.text);
  });

  it('a stream of undecodable audio ends with an error event', async () => {
    const noise = new File([new Uint8Array(5_000)], 'noise.mp3');
    const stream = await openai.audio.transcriptions.create({ file: noise, model: 'zephyr', stream: true });
    const requests = (async () => {
      for await (const event of stream) expect.unreachable(event.type);
    })();
    expect(await catchApiError(requests)).toMatchObject({ code: 'unprocessable_audio', param: 'file' });
  });

  it('a client that disconnects does not stop the job', async () => {
    const caller = await newCaller();
    const job = await service.whileStopped('processor', async () => {
      const disconnect = new AbortController();
      const pendingResponse = caller.openai.audio.transcriptions.create(
        { file: silence, model: 'zephyr' },
        { signal: disconnect.signal },
      );
      const jobId = await waitForOnlyJob(caller.client);
      disconnect.abort();
      await expect(pendingResponse).rejects.toThrow(OpenAI.APIUserAbortError);
      return jobId;
    });
    await until('it has completed', async () => (await caller.client.job(job)).status === 'completed');
  });

  it('a request held during a shutdown answers 503, and the client creates no second job', async () => {
    const caller = await newCaller();
    const job = await service.whileStopped('processor', async () => {
      const pendingError = catchApiError(
        caller.openai.audio.transcriptions.create({ file: silence, model: 'zephyr' }),
      );
      const jobId = await waitForOnlyJob(caller.client);
      const api = await service.kill('api', 'SIGTERM');
      const error = await pendingError;
      expect(error).toBeInstanceOf(OpenAI.InternalServerError);
      const message: unknown = expect.stringContaining(jobId);
      expect(error).toMatchObject({ status: 503, type: 'server_error', message });
      await until('the API runs again', async () => (await service.pidOf('api')) !== api);
      return jobId;
    });
    await until('it has completed', async () => (await caller.client.job(job)).status === 'completed');
    expect(await waitForOnlyJob(caller.client)).toBe(job);
  });
});

describe('POST /v1/audio/transcriptions without the official client', () => {
  it('works with curl', async () => {
    const path = join(service.dataDir, 'speech.wav');
    await writeFile(path, audio);
    const form = ['-F', `file=@${path}`, '-F', 'model=whisper-1', '-F', 'response_format=text'];
    const url = `${service.baseUrl}/v1/audio/transcriptions`;
    const { stdout } = await run('curl', [
      '-sS',
      url,
      '-H',
      `Authorization: Bearer ${client.apiKey}`,
      ...form,
    ]);
    expectSpokenWords(stdout);
  });

  it('accepts fields after the file and a chunked form', async () => {
    const half = Math.floor(audio.length / 2);
    const tail = [
      formField('model', 'x'),
      formField('response_format', 'text'),
      formField('nltk', 'false'),
      CLOSING_BOUNDARY,
    ];
    const chunks = [fileFieldHeader(), audio.subarray(0, half), audio.subarray(half), '\r\n', ...tail];
    const { status, headers, text } = await sendForm(service, client.apiKey ?? '', chunks);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expectSpokenWords(text);
  });
});

describe('GET /v1/models', () => {
  it('lists the only model and retrieves it by its aliases', async () => {
    const { data } = await openai.models.list();
    expect(data).toEqual([expect.objectContaining({ id: 'zephyr', object: 'model', owned_by: 'zephyr' })]);
    expect((await openai.models.retrieve('zephyr')).id).toBe('zephyr');
    expect((await openai.models.retrieve('whisper-1')).id).toBe('whisper-1');
    const error = await catchApiError(openai.models.retrieve('gpt-4'));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ code: 'model_not_found', param: 'model' });
  });
});
