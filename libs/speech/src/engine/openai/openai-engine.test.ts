import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { encodeWav } from '../../wav/wav.js';
import { EngineFailedError, EngineUnavailableError } from '../engine.js';
import { type OpenAiOptions, OpenAiRequestError } from './openai-client.js';
import { OpenAiEngine } from './openai-engine.js';
import { startFakeOpenAiServer } from './testing/start-fake-openai-server.js';

it('chunks of sparse speech are not joined while the responses of the server have no times', async () => {
  const text = 'Ja. Genau.';
  const segment = { text, start: 0, end: 1 };
  const untimed = { text, start: null, end: null };
  const word = (written: string, start: number) => ({ word: written, start, end: start + 0.5 });
  const cases: [body: object, packedSeconds: number | undefined][] = [
    [{ text }, undefined],
    [{ text: '' }, undefined],
    [{ text, segments: [segment] }, 28],
    [{ text, segments: [untimed] }, undefined],
    [{ text, words: [word('Ja', 0), word('Genau', 0.5)] }, 28],
    [{ text: `${text} Das Angebot haben wir.`, segments: [segment] }, undefined],
    [{ text, segments: [segment] }, 28],
    [{ text: '' }, 28],
    [{ text, segments: [{ text, start: 0, end: 0 }] }, undefined],
    [{ text, segments: [segment] }, 28],
    [{ text, segments: [{ text, start: 0, end: 3 }] }, undefined],
  ];
  const engine = await createEngineFor(cases.map(([body]) => body));
  const path = await writeChunk();
  expect(engine.packedSeconds).toBe(28);
  for (const [body, packedSeconds] of cases) {
    const options = { vocabulary: [], signal: new AbortController().signal };
    await engine.transcribe({ path, duration: 3 }, options);
    expect([body, engine.packedSeconds]).toEqual([body, packedSeconds]);
  }
});

describe('a server behind a proxy that goes down', () => {
  const chunk = async () => ({ path: await writeChunk(), duration: 3 });
  const options = () => ({ vocabulary: [], signal: new AbortController().signal });
  let isDown = false;
  let isDeadly = false;
  let sent = 0;
  beforeEach(() => void ([isDown, isDeadly, sent] = [false, false, 0]));

  const startEngine = () =>
    startEngineOn((request, response) => {
      if (request.method === 'POST') sent += 1;
      if (request.method === 'POST' && isDeadly) isDown = true;
      const body = request.method === 'POST' ? { text: 'Ja.' } : { data: [{ id: 'm' }] };
      response.writeHead(isDown ? 502 : 200).end(JSON.stringify(body));
    });
  const transcribe = async (engine: OpenAiEngine) => {
    const failure: unknown = await engine
      .transcribe(await chunk(), options())
      .catch((error: unknown) => error);
    return failure instanceof EngineUnavailableError ? failure.isChunkSuspected : failure;
  };

  it('over a chunk suspects it each time, and gets none while it is down', async () => {
    const engine = await startEngine();
    await engine.check();
    isDeadly = true;
    for (const time of [1, 2]) {
      expect(await transcribe(engine)).toBe(true);
      expect(await transcribe(engine)).toBe(false);
      expect(sent).toBe(time);
      isDown = false;
    }
    isDeadly = false;
    expect(await transcribe(engine)).toHaveProperty('words.0.text', 'Ja.');
  });

  it('before it gets a chunk does not suspect it', async () => {
    const engine = await startEngine();
    isDown = true;
    expect(await transcribe(engine)).toBe(false);
    isDown = false;
    await engine.check();
    isDown = true;
    expect(await transcribe(engine)).toBe(true);
    for (let time = 0; time < 5; time += 1) expect(await transcribe(engine)).toBe(false);
  });

  it('gets chunks after an outage also if it answers nothing else', async () => {
    const engine = await startEngineOn((request, response) =>
      response.writeHead(request.method === 'POST' && !isDown ? 200 : 502).end('{"text":"Ja."}'),
    );
    await engine.check();
    isDown = true;
    expect(await transcribe(engine)).toBe(false);
    isDown = false;
    expect(await transcribe(engine)).toHaveProperty('words.0.text', 'Ja.');
  });
});

describe('a chunk waits for the server', () => {
  const transcribe = async (options: OpenAiOptions) => {
    const engine = new OpenAiEngine(options);
    onTestFinished(() => engine.close());
    const chunk = { path: await writeChunk(), duration: 3 };
    return engine
      .transcribe(chunk, { vocabulary: [], signal: new AbortController().signal })
      .catch((error: unknown) => error);
  };

  it('that hangs also when it is asked for its models', async () => {
    const options = await startFakeOpenAiServer(() => undefined);
    const failure = await transcribe({ ...options, timeoutSeconds: 0.2, checkTimeoutSeconds: 0.2 });
    expect(failure).toBeInstanceOf(EngineUnavailableError);
  });

  it('but has failed if only its own response takes too long', async () => {
    const options = await startFakeOpenAiServer((request, response) => {
      if (request.method === 'GET') response.end('{"data":[]}');
    });
    expect(await transcribe({ ...options, timeoutSeconds: 0.2 })).toBeInstanceOf(EngineFailedError);
  });

  it('with which no TLS connection is possible', async () => {
    const options = await startFakeOpenAiServer((_, response) => response.end('{}'));
    const failure = await transcribe({ ...options, baseUrl: options.baseUrl.replace('http:', 'https:') });
    expect(failure).toBeInstanceOf(EngineUnavailableError);
  });
});

it('an outage is certain after an error of certificates or of this machine, and possible after any other', () => {
  const outageOf = (cause: object) => new OpenAiRequestError('x', null, { cause }).outage;
  for (const code of [
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'EMFILE',
  ])
    expect([code, outageOf({ code })]).toEqual([code, 'certain']);
  for (const code of ['ECONNRESET', 'HPE_INVALID_CONSTANT'])
    expect([code, outageOf({ code })]).toEqual([code, 'possible']);
  expect(outageOf(new TypeError('a mistake of ours'))).toBe('none');
});

async function writeChunk(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-openai-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'chunk.wav');
  await writeFile(path, encodeWav(Int16Array.from({ length: 48_000 }, (_, at) => 8_000 * Math.sin(at / 6))));
  return path;
}

function createEngineFor(bodies: readonly object[]): Promise<OpenAiEngine> {
  const left = [...bodies];
  return startEngineOn((_, response) => response.end(JSON.stringify(left.shift())));
}

async function startEngineOn(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<OpenAiEngine> {
  const options = await startFakeOpenAiServer((request, response) => {
    request.resume().once('end', () => respond(request, response));
  });
  const engine = new OpenAiEngine(options);
  onTestFinished(() => engine.close());
  return engine;
}
