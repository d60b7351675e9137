import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnreadableChunkError, encodeWav, EngineFailedError, OpenAiEngine, SAMPLE_RATE } from '@app/speech';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeEngineContract } from '../../libs/speech/src/engine/engine.contract.js';
import { countDependentSignals } from '../support/dependent-signals.js';
import { writeToneChunk, createOpenAiEngine } from '../support/openai-engine.js';
import { sendJson, FakeTranscriptionServer } from '../support/fake-transcription-server.js';

const KEY = 'sk-very-secret';
const OPTIONS = { vocabulary: [], signal: new AbortController().signal };

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

const createChunk = (count: number) => writeToneChunk(folder, count);

describeEngineContract('openai', {
  create: async () => createOpenAiEngine(contractServer),
  speech: async () => ({ ...(await createChunk(10)), words: ['one,', 'two', 'three', 'seven', 'ten.'] }),
  term: async () => {
    contractServer.vocabularyTerm = 'Dashwood';
    return { ...(await createChunk(3)), term: 'Dashwood' };
  },
  activeWork: async () => [...contractServer.openRequests],
});

describe('OpenAiEngine', () => {
  let server: FakeTranscriptionServer;
  let engine: OpenAiEngine;
  let audio: { path: string; duration: number };

  beforeEach(async () => {
    server = await FakeTranscriptionServer.start();
    engine = createOpenAiEngine(server);
    audio = await createChunk(2);
  });
  afterEach(async () => {
    await engine.close();
    await server.stop();
  });

  const transcribe = async (using = engine) => {
    const { words } = await using.transcribe(audio, OPTIONS);
    return words.map(({ text }) => text).join(' ');
  };
  const catchFailure = async (using = engine) =>
    using.transcribe(audio, OPTIONS).catch((error: unknown) => error);

  it('the request asks for word times and names the model and the terms', async () => {
    const options = { ...OPTIONS, vocabulary: ['Dashwood', '  Elinor\nFerrars ', '!', 'x'.repeat(700)] };
    const { words, language, unusedTerms, timesEstimated, doubtedWords } = await engine.transcribe(
      audio,
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
    expect(server.requests[0]?.fields).toMatchObject({
      model: ['tones'],
      response_format: ['verbose_json'],
      'timestamp_granularities[]': ['word', 'segment'],
      prompt: ['Dashwood, Elinor Ferrars'],
    });
  });

  it.each<[string, Parameters<FakeTranscriptionServer['queueMisbehaviours']>]>([
    ['500', [(response) => sendJson(response, 500, {})]],
    ['503 twice', [(response) => sendJson(response, 503, {}), (response) => sendJson(response, 503, {})]],
    ['a connection that is reset', [(_, socket) => socket.resetAndDestroy()]],
    [
      'a response that ends early',
      [(response, socket) => response.write('{"text": "On', () => socket.destroy())],
    ],
    ['garbage', [(response) => response.end('<html>Bad gateway</html>')]],
    ['JSON of another kind', [(response) => sendJson(response, 200, { detail: 'loading' })]],
  ])('the request is retried after %s', async (_, misbehaviours) => {
    server.queueMisbehaviours(...misbehaviours);
    expect(await transcribe()).toBe('One, two.');
    expect(server.requests).toHaveLength(misbehaviours.length + 1);
  });

  it('the retry waits for the Retry-After of a busy server', async () => {
    server.queueMisbehaviours((response) => response.writeHead(429, { 'retry-after': '1' }).end());
    const startedAt = performance.now();
    expect(await transcribe()).toBe('One, two.');
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });

  it('the engine fails after the configured attempts with a cause that omits the key', async () => {
    const engineWithKey = createOpenAiEngine(server, { apiKey: KEY });
    // The last attempt tries every granularity.
    for (let at = 0; at < 5; at += 1)
      server.queueMisbehaviours((response) => sendJson(response, 500, { key: KEY }));
    const error = await catchFailure(engineWithKey);
    expect(error).toBeInstanceOf(EngineFailedError);
    expect(String((error as Error).cause)).toContain('HTTP 500: {"key":"[key]"}');
    expect(server.requests.map(({ authorization }) => authorization)).toEqual(
      new Array(5).fill(`Bearer ${KEY}`),
    );
    await engineWithKey.close();
  });

  it('a hanging or slow response ends at the timeout', async () => {
    const engineWithShortTimeout = createOpenAiEngine(server, { timeoutSeconds: 1, attempts: 2 });
    server.queueMisbehaviours(
      () => undefined,
      (response) => {
        const timer = setInterval(() => response.write(' '), 50);
        response.once('close', () => clearInterval(timer));
      },
    );
    const startedAt = performance.now();
    const error = await catchFailure(engineWithShortTimeout);
    expect(error).toBeInstanceOf(EngineFailedError);
    expect(String((error as Error).cause)).toContain('no response within 1 s');
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    await expect.poll(() => [...server.openRequests]).toEqual([]);
    await engineWithShortTimeout.close();
  });

  it('word times are estimated from segment times', async () => {
    server.omittedLists = ['words'];
    const { words, timesEstimated } = await engine.transcribe(audio, OPTIONS);
    expect(words.map(({ text }) => text)).toEqual(['One,', 'two.']);
    expect([words[0]?.start, words[1]?.end].map((time) => time?.toFixed(1))).toEqual(['0.4', '1.8']);
    expect(timesEstimated).toBe(true);
  });

  it('the engine reduces the granularity after a few chunks and reports it', async () => {
    server.isUnsupported = (fields) => 'timestamp_granularities[]' in fields;
    server.omittedLists = ['words'];
    const reductions: string[] = [];
    const engineOfLimitedServer = createOpenAiEngine(server, {
      onGranularityReduced: (detail) => reductions.push(detail),
    });
    for (let at = 0; at < 4; at += 1) expect(await transcribe(engineOfLimitedServer)).toBe('One, two.');
    const requested = server.requests.map(({ fields }) => [
      ...(fields.response_format ?? []),
      ...(fields['timestamp_granularities[]'] ?? []),
    ]);
    const [words, segments] = [['verbose_json', 'word', 'segment'], ['verbose_json']];
    expect(requested).toEqual([words, segments, words, segments, words, segments, segments]);
    expect(reductions).toEqual(['segment']);
    await engineOfLimitedServer.close();
    server.isUnsupported = (fields) => fields.response_format?.[0] !== 'json';
    server.omittedLists = ['words', 'segments'];
    const { words: estimated, timesEstimated } = await engine.transcribe(audio, OPTIONS);
    expect([estimated.length, estimated[0]?.start, estimated[1]?.end, timesEstimated]).toEqual([
      2,
      0,
      audio.duration,
      true,
    ]);
    server.isUnsupported = () => true;
    expect(await catchFailure()).toBeInstanceOf(UnreadableChunkError);
  });

  it('concurrent requests do not exceed the limit over all chunks', async () => {
    const limitedEngine = createOpenAiEngine(server, { concurrency: 2 });
    await Promise.all([0, 1, 2, 3, 4].map(() => limitedEngine.transcribe(audio, OPTIONS)));
    expect(server.maxOpenRequests).toBe(2);
    await limitedEngine.close();
  });

  it('a transcription leaves nothing in the signal that could abort it', async () => {
    const { signal } = new AbortController();
    for (let run = 0; run < 3; run += 1) await engine.transcribe(audio, { ...OPTIONS, signal });
    expect(countDependentSignals(signal)).toBe(0);
  });

  it('the query of the base URL follows the path of each request', async () => {
    const behindGateway = createOpenAiEngine(server, {
      baseUrl: `${server.baseUrl}/?api-version=2024-06-01`,
    });
    await behindGateway.check();
    const { words } = await behindGateway.transcribe(audio, OPTIONS);
    expect(words.map(({ text }) => text)).toEqual(['One,', 'two.']);
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/v1/models?api-version=2024-06-01',
      '/v1/audio/transcriptions?api-version=2024-06-01',
    ]);
    await behindGateway.close();
  });

  it('silent audio is not sent', async () => {
    const path = join(folder, 'silence.wav');
    await writeFile(path, encodeWav(new Int16Array(SAMPLE_RATE)));
    expect((await engine.transcribe({ path, duration: 1 }, OPTIONS)).words).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});
