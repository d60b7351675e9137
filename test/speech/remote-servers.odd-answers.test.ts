import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { encodeWav, SAMPLE_RATE } from '@app/speech';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeTranscriptionServer } from '../support/fake-transcription-server.js';
import { createOpenAiEngine, writeToneChunk } from '../support/openai-engine.js';
import { REMOTE_SERVERS } from '../support/remote-servers.js';

const OPTIONS = { vocabulary: [], signal: new AbortController().signal };

let folder: string;
let server: FakeTranscriptionServer;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'zephyr-answers-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => void (server = await FakeTranscriptionServer.start()));
afterEach(() => server.stop());

/** Audible, but the servers find no tone in it. */
async function writeHum(seconds: number) {
  const samples = Int16Array.from(
    { length: seconds * SAMPLE_RATE },
    (_, at) => 700 * Math.sin((at * 2 * Math.PI * 120) / SAMPLE_RATE),
  );
  const path = join(folder, 'hum.wav');
  await writeFile(path, encodeWav(samples));
  return { path, duration: seconds };
}

async function transcribe(body: object, audio?: { path: string; duration: number }) {
  server.responder = () => ({ status: 200, body });
  const engine = createOpenAiEngine(server);
  try {
    return await engine.transcribe(audio ?? (await writeToneChunk(folder, 2)), OPTIONS);
  } finally {
    await engine.close();
  }
}

describe.each(REMOTE_SERVERS)('audio without speech, sent to $name', (product) => {
  it('gives no words and no language', async () => {
    server.responder = product.respond;
    const engine = createOpenAiEngine(server, product.options);
    const { words, language } = await engine.transcribe(await writeHum(3), OPTIONS);
    await engine.close();
    expect(server.requests.length).toBeGreaterThan(0);
    expect({ words, language }).toEqual({ words: [], language: null });
  });
});

describe('text over audio without speech', () => {
  const repeated = 'Thank you for watching. '.repeat(20).trim();
  const segment = { id: 0, start: 0, end: 3, text: ` ${repeated}` };

  it.each([
    [
      'that repeats itself and is improbable',
      { avg_logprob: -1.3, compression_ratio: 14, no_speech_prob: 0.1 },
    ],
    [
      'that repeats itself where there is no speech',
      { avg_logprob: -0.2, compression_ratio: 14, no_speech_prob: 0.8 },
    ],
    [
      'that is improbable where there is no speech',
      { avg_logprob: -1.3, compression_ratio: 1.2, no_speech_prob: 0.8 },
    ],
  ])('%s is dropped and counted', async (_, measures) => {
    const segments = [{ ...segment, ...measures }];
    const { words, doubtedWords } = await transcribe(
      { language: 'english', text: repeated, segments },
      await writeHum(3),
    );
    expect([words, doubtedWords]).toEqual([[], 80]);
  });

  it('without measures is kept for the filter of repetitions, with estimated times', async () => {
    const { words, timesEstimated } = await transcribe({ text: repeated }, await writeHum(3));
    expect([words.length, timesEstimated]).toEqual([80, true]);
  });
});

describe('names of languages', () => {
  it.each([
    ['German', 'de'],
    ['jw', 'jv'],
    ['pt_BR', 'pt-BR'],
    ['Deutsch', null],
    ['auto', null],
    ['multi', null],
    ['mul', null],
    ['zxx', null],
    ['unknown', null],
    ['', null],
    [null, null],
  ])('%s is %s', async (named, tag) => {
    expect((await transcribe({ language: named, text: 'One two' })).language).toBe(tag);
  });
});

describe('one long segment', () => {
  it('its words are in the detected speech, in order, and none is lost', async () => {
    const texts = Array.from({ length: 90 }, (_, index) => `word${index}`);
    const spans = [
      { start: 1, end: 9 },
      { start: 12, end: 27 },
    ];
    const { path } = await writeHum(28);
    const segments = [{ id: 0, start: 0, end: 30, text: ` ${texts.join(' ')}`, avg_logprob: -0.3 }];
    const { words, timesEstimated } = await transcribe(
      { language: 'english', text: texts.join(' '), segments },
      { path, duration: 28, speech: { detector: 'model', spans } } as never,
    );
    expect(words.map(({ text }) => text)).toEqual(texts);
    expect(timesEstimated).toBe(true);
    let last = 0;
    for (const { start, end } of words) {
      expect(start).toBeGreaterThanOrEqual(last);
      expect(spans.some((span) => span.start <= start && end <= span.end + 1e-6)).toBe(true);
      last = start;
    }
  });
});

describe('a busy server', () => {
  it.each([
    ['429 and seconds', 429, () => '1'],
    ['503 and a date', 503, () => new Date(Date.now() + 2_000).toUTCString()],
  ])('with %s is asked again at that time', async (_, status, retryAfter) => {
    server.queueMisbehaviours((response) =>
      response.writeHead(status, { 'retry-after': retryAfter() }).end(),
    );
    const engine = createOpenAiEngine(server);
    const audio = await writeToneChunk(folder, 2);
    const startedAt = performance.now();
    const { words } = await engine.transcribe(audio, OPTIONS);
    await engine.close();
    expect(words).toHaveLength(2);
    expect(server.requests).toHaveLength(2);
    // A date has whole seconds.
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });
});

describe('a response that is compressed although nobody asked for it', () => {
  const body = JSON.stringify({ text: 'one two' });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const)('is read: %s', async (encoding, compress) => {
    server.queueMisbehaviours((response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
        .end(compress(body)),
    );
    const engine = createOpenAiEngine(server);
    const { words } = await engine.transcribe(await writeToneChunk(folder, 2), OPTIONS);
    await engine.close();
    expect(words.map(({ text }) => text)).toEqual(['one', 'two']);
  });

  it.each([
    ['zstd', Buffer.from(body), /content encoding zstd/],
    ['gzip', Buffer.from(body), /Z_DATA_ERROR/],
  ])('has a clear error: %s', async (encoding, bytes, message) => {
    server.queueMisbehaviours((response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes),
    );
    const engine = createOpenAiEngine(server, { attempts: 1 });
    const error = await engine
      .transcribe(await writeToneChunk(folder, 2), OPTIONS)
      .catch((each: unknown) => each);
    await engine.close();
    expect(String((error as Error).cause)).toMatch(message);
  });
});
