import type { ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  UnreadableChunkError,
  EngineFailedError,
  EngineUnavailableError,
  type OpenAiOptions,
} from '@app/speech';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeToneChunk, createOpenAiEngine } from '../support/openai-engine.js';
import { sendJson, FakeTranscriptionServer } from '../support/fake-transcription-server.js';

const KEY = 'sk-very-secret';

let folder: string;
let server: FakeTranscriptionServer;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'zephyr-openai-'))));
beforeEach(async () => void (server = await FakeTranscriptionServer.start()));
afterEach(() => server.stop());
afterAll(() => rm(folder, { recursive: true, force: true }));

function sendUnrepeatable(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'x-should-retry': 'false' }).end('{}');
}

/** Transcribes a chunk. @returns the result or the error */
async function transcribeAndCatch(options: Partial<OpenAiOptions> = {}): Promise<unknown> {
  const engine = createOpenAiEngine(server, options);
  const transcribeOptions = { vocabulary: [], signal: new AbortController().signal };
  const outcome = await engine
    .transcribe(await writeToneChunk(folder, 2), transcribeOptions)
    .catch((error: unknown) => error);
  await engine.close();
  return outcome;
}

describe('OpenAiEngine with an error response', () => {
  it.each([429, 503])(
    'the engine is unavailable when the server responds to all attempts with %i',
    async (status) => {
      for (let at = 0; at < 3; at += 1)
        server.queueMisbehaviours((response) => sendJson(response, status, {}));
      const error = await transcribeAndCatch();
      expect(error).toBeInstanceOf(EngineUnavailableError);
      expect(String(error)).toContain(`HTTP ${status}`);
    },
  );

  describe.each<[string, Parameters<FakeTranscriptionServer['queueMisbehaviours']>[0]]>([
    ['502', (response) => sendJson(response, 502, {})],
    ['504 that forbids retries', (response) => sendUnrepeatable(response, 504)],
    ['521 of a product', (response) => sendJson(response, 521, {})],
    ['a reset', (_, socket) => socket.resetAndDestroy()],
    ['an end without a response', (_, socket) => socket.end()],
    [
      'a response that ends early',
      (response, socket) => response.write('{"text": "On', () => socket.destroy()),
    ],
  ])('to every attempt (%s)', (name, misbehaviour) => {
    const attempts = name.includes('forbids') ? 1 : 3;

    it('the engine is unavailable when the server does not answer another request either', async () => {
      for (let at = 0; at < attempts + 1; at += 1) server.queueMisbehaviours(misbehaviour);
      const error = await transcribeAndCatch();
      expect(error).toBeInstanceOf(EngineUnavailableError);
      expect(server.requests.map(({ path }) => path).slice(attempts)).toEqual(['/v1/models']);
    });

    it('the engine failed on the chunk when the server answers another request', async () => {
      for (let at = 0; at < attempts; at += 1) server.queueMisbehaviours(misbehaviour);
      const error = await transcribeAndCatch();
      expect(error).toBeInstanceOf(EngineFailedError);
      expect(server.requests).toHaveLength(attempts + 1);
    });
  });

  it('the engine is unavailable when the server hangs after a broken connection', async () => {
    for (let at = 0; at < 3; at += 1) server.queueMisbehaviours((_, socket) => socket.destroy());
    server.queueMisbehaviours(() => undefined);
    expect(await transcribeAndCatch({ checkTimeoutSeconds: 1 })).toBeInstanceOf(EngineUnavailableError);
  });

  it.each([429, 503])('the engine is unavailable after a %i that forbids retries', async (status) => {
    server.queueMisbehaviours((response) => sendUnrepeatable(response, status));
    expect(await transcribeAndCatch()).toBeInstanceOf(EngineUnavailableError);
    expect(server.requests).toHaveLength(1);
  });

  it('the engine is unavailable when no server listens', async () => {
    const error = await transcribeAndCatch({ baseUrl: 'http://127.0.0.1:1/v1' });
    expect(error).toBeInstanceOf(EngineUnavailableError);
    expect(String(error)).toContain('ECONNREFUSED');
  });

  it.each([
    [401, EngineUnavailableError, 'OPENAI_API_KEY'],
    [404, EngineUnavailableError, 'OPENAI_MODEL'],
    [413, EngineFailedError, 'CHUNK_SECONDS'],
    [402, EngineUnavailableError, 'OPENAI_API_KEY'],
    [451, EngineFailedError, 'HTTP 451'],
    [302, EngineUnavailableError, 'HTTP 302'],
    [415, UnreadableChunkError, 'cannot be read'],
  ])('the request is not retried when the response is %i', async (status, kind, advice) => {
    server.queueMisbehaviours((response) => sendJson(response, status, {}));
    const error = await transcribeAndCatch();
    expect(error).toBeInstanceOf(kind);
    expect(`${String(error)} ${String((error as Error).cause)}`).toContain(advice);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [413, {}, /^The speech engine openai failed on a chunk: .*too large\. Lower CHUNK_SECONDS/],
    [451, { error: 'not here' }, /^The speech engine openai failed on a chunk: HTTP 451: .*not here/],
    [400, { error: 'over 30 s' }, /^The chunk .* cannot be read: .* CHUNK_SECONDS .*HTTP 400: .*over 30 s/],
    [415, { error: 'no WAV' }, /^The chunk .* cannot be read: .*HTTP 415: (?!.*CHUNK_SECONDS).*no WAV/],
  ])('the message of an error tells operators why the server answered %i', async (status, body, message) => {
    for (let at = 0; at < 3; at += 1)
      server.queueMisbehaviours((response) => sendJson(response, status, body));
    expect(((await transcribeAndCatch({ apiKey: KEY })) as Error).message).toMatch(message);
  });

  it('the message of an error has the last problem of a request that was retried', async () => {
    const answer = 'out of\0memory, sk-very-secret';
    for (let at = 0; at < 5; at += 1)
      server.queueMisbehaviours((response) => response.writeHead(500).end(answer));
    // Postgres stores no zero character.
    expect(((await transcribeAndCatch({ apiKey: KEY })) as Error).message).toBe(
      'The speech engine openai failed on a chunk: HTTP 500: out of memory, [key]',
    );
  });

  it('the request is not retried when the server forbids it', async () => {
    for (const status of [500, 400]) {
      server.queueMisbehaviours((response) =>
        response.writeHead(status, { 'x-should-retry': 'false' }).end('{}'),
      );
      expect(await transcribeAndCatch()).not.toBeInstanceOf(EngineUnavailableError);
    }
    expect(server.requests).toHaveLength(2);
  });

  it('the request is not retried when the credit is used up', async () => {
    server.queueMisbehaviours((response) =>
      sendJson(response, 429, { error: { code: 'insufficient_quota' } }),
    );
    const error = await transcribeAndCatch();
    expect(error).toBeInstanceOf(EngineUnavailableError);
    expect(String(error)).toContain('no credit left');
    expect(server.requests).toHaveLength(1);
  });

  it('check verifies that the server is reachable, accepts the key and has the model', async () => {
    server.apiKey = KEY;
    const check = async (options: Partial<OpenAiOptions>) => {
      const engine = createOpenAiEngine(server, options);
      const outcome = await engine.check().catch((error: unknown) => String(error));
      await engine.close();
      return outcome;
    };
    expect(await check({ apiKey: KEY })).toBeUndefined();
    expect(await check({ apiKey: 'sk-wrong-key' })).toMatch(/^(?!.*sk-wrong-key).*OPENAI_API_KEY/);
    expect(await check({ apiKey: KEY, model: 'large' })).toMatch(/no model large.*OPENAI_MODEL.*tones/);
    server.queueMisbehaviours((response) => sendJson(response, 404, {}));
    expect(await check({ apiKey: KEY, model: 'large' })).toBeUndefined();
    expect(await check({ baseUrl: 'http://127.0.0.1:1/v1' })).toMatch(/ECONNREFUSED.*OPENAI_BASE_URL/);
    server.queueMisbehaviours(() => undefined);
    const slow = await check({ apiKey: KEY, timeoutSeconds: 600, checkTimeoutSeconds: 1 });
    expect(slow).toMatch(/no response within 1 s.*OPENAI_BASE_URL/);
  });
});
