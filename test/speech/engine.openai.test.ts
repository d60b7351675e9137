import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnreadableChunkError, encodeWav, EngineFailedError, OpenAiEngine, SAMPLE_RATE } from '@app/speech';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeEngineContract } from '../../libs/speech/src/engine/engine.contract.js';
import { writeToneChunk, createOpenAiEngine } from '../support/openai-engine.js';
import { sendJson, FakeTranscriptionServer } from '../support/fake-transcription-server.js';

const KEY = 'sk-very-secret';
const never = { vocabulary: [], signal: new AbortController().signal };

let folder: string;
let contractServer: FakeTranscriptionServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-openai-'));
  contractServer = await FakeTranscriptionServer.start();
});
afterAll(async () => {
  await contractServer.stop();
  await rm(folder, { recursive: true, force: true });
});

const chunk = (count: number) => writeToneChunk(folder, count);

describeEngineContract('openai', {
  create: async () => createOpenAiEngine(contractServer),
  speech: async () => ({ ...(await chunk(10)), words: ['one,', 'two', 'three', 'seven', 'ten.'] }),
  term: async () => {
    contractServer.term = 'Dashwood';
    return { ...(await chunk(3)), term: 'Dashwood' };
  },
  activeWork: async () => [...contractServer.open],
});

describe('OpenAiEngine', () => {
  let server: FakeTranscriptionServer;
  let engine: OpenAiEngine;
  let two: { path: string; duration: number };

  beforeEach(async () => {
    server = await FakeTranscriptionServer.start();
    engine = createOpenAiEngine(server);
    two = await chunk(2);
  });
  afterEach(async () => {
    await engine.close();
    await server.stop();
  });

  const transcribe = async (using = engine) => {
    const { words } = await using.transcribe(two, never);
    return words.map(({ text }) => text).join(' ');
  };
  const failure = async (using = engine) => using.transcribe(two, never).catch((error: unknown) => error);

  it('the request asks for word times and names the model and the terms', async () => {
    const options = { ...never, vocabulary: ['Dashwood', '  Elinor\nFerrars ', '!', 'x'.repeat(700)] };
    const { words, language, unusedTerms, timesEstimated, doubtedWords } = await engine.transcribe(
      two,
      options,
    );
    expect(words.map(({ text, start }) => [text, start.toFixed(1)])).toEqual([
      ['One,', '0.4'],
      ['two.', '1.3'],
    ]);
    expect(words[0]?.confidence).toBeCloseTo(Math.exp(-0.1));
    expect({ language, unusedTerms, timesEstimated, doubtedWords }).toEqual({
      language: 'en',
      unusedTerms: 2,
      timesEstimated: false,
      doubtedWords: 0,
    });
    expect(server.asked[0]?.fields).toMatchObject({
      model: ['tones'],
      response_format: ['verbose_json'],
      'timestamp_granularities[]': ['word', 'segment'],
      prompt: ['Dashwood, Elinor Ferrars'],
    });
  });

  it.each<[string, Parameters<FakeTranscriptionServer['next']>]>([
    ['500', [(response) => sendJson(response, 500, {})]],
    ['503 twice', [(response) => sendJson(response, 503, {}), (response) => sendJson(response, 503, {})]],
    ['a connection that is reset', [(_, socket) => socket.resetAndDestroy()]],
    [
      'an answer that breaks off',
      [(response, socket) => response.write('{"text": "On', () => socket.destroy())],
    ],
    ['garbage', [(response) => response.end('<html>Bad gateway</html>')]],
    ['JSON of another kind', [(response) => sendJson(response, 200, { detail: 'loading' })]],
  ])('the request is retried after %s', async (_, misbehaviours) => {
    server.next(...misbehaviours);
    expect(await transcribe()).toBe('One, two.');
    expect(server.asked).toHaveLength(misbehaviours.length + 1);
  });

  it('the retry waits for the Retry-After of a busy server', async () => {
    server.next((response) => response.writeHead(429, { 'retry-after': '1' }).end());
    const startedAt = performance.now();
    expect(await transcribe()).toBe('One, two.');
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });

  it('the engine fails after the configured attempts with a cause that omits the key', async () => {
    const echo = createOpenAiEngine(server, { apiKey: KEY });
    for (let at = 0; at < 3; at += 1) server.next((response) => sendJson(response, 500, { key: KEY }));
    const error = await failure(echo);
    expect(error).toBeInstanceOf(EngineFailedError);
    expect(String((error as Error).cause)).toContain('HTTP 500: {"key":"[key]"}');
    expect(server.asked.map(({ authorization }) => authorization)).toEqual(
      new Array(3).fill(`Bearer ${KEY}`),
    );
    await echo.close();
  });

  it('a hanging or slow response ends at the timeout', async () => {
    const hasty = createOpenAiEngine(server, { timeoutSeconds: 1, attempts: 2 });
    server.next(
      () => undefined,
      (response) => {
        const timer = setInterval(() => response.write(' '), 50);
        response.once('close', () => clearInterval(timer));
      },
    );
    const startedAt = performance.now();
    const error = await failure(hasty);
    expect(error).toBeInstanceOf(EngineFailedError);
    expect(String((error as Error).cause)).toContain('no response within 1 s');
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    await expect.poll(() => [...server.open]).toEqual([]);
    await hasty.close();
  });

  it('word times are estimated from segment times', async () => {
    server.without = ['words'];
    const { words, timesEstimated } = await engine.transcribe(two, never);
    expect(words.map(({ text }) => text)).toEqual(['One,', 'two.']);
    expect([words[0]?.start, words[1]?.end].map((time) => time?.toFixed(1))).toEqual(['0.4', '1.8']);
    expect(timesEstimated).toBe(true);
  });

  it('the engine reduces the granularity after a few chunks and reports it', async () => {
    server.refuses = (fields) => fields['timestamp_granularities[]']?.includes('word') ?? false;
    server.without = ['words'];
    const reductions: string[] = [];
    const reducing = createOpenAiEngine(server, {
      onGranularityReduced: (detail) => reductions.push(detail),
    });
    for (let at = 0; at < 4; at += 1) expect(await transcribe(reducing)).toBe('One, two.');
    expect(server.asked.map(({ fields }) => fields['timestamp_granularities[]']?.join())).toEqual([
      ...['word,segment', 'segment', 'word,segment', 'segment', 'word,segment', 'segment'],
      'segment',
    ]);
    expect(reductions).toEqual(['segment']);
    await reducing.close();
    server.refuses = (fields) => fields.response_format?.[0] !== 'json';
    server.without = ['words', 'segments'];
    const { words, timesEstimated } = await engine.transcribe(two, never);
    expect([words.length, words[0]?.start, words[1]?.end, timesEstimated]).toEqual([
      2,
      0,
      two.duration,
      true,
    ]);
    server.refuses = () => true;
    expect(await failure()).toBeInstanceOf(UnreadableChunkError);
  });

  it('concurrent requests do not exceed the limit over all chunks', async () => {
    const narrow = createOpenAiEngine(server, { concurrency: 2 });
    await Promise.all([0, 1, 2, 3, 4].map(() => narrow.transcribe(two, never)));
    expect(server.most).toBe(2);
    await narrow.close();
  });

  it('silent audio is not sent', async () => {
    const path = join(folder, 'silence.wav');
    await writeFile(path, encodeWav(new Int16Array(SAMPLE_RATE)));
    expect((await engine.transcribe({ path, duration: 1 }, never)).words).toEqual([]);
    expect(server.asked).toEqual([]);
  });
});
