import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeEngineContract } from '../../libs/speech/src/engine/engine.contract.js';
import { FakeTranscriptionServer, sendJson } from '../support/fake-transcription-server.js';
import { createOpenAiEngine, writeToneChunk } from '../support/openai-engine.js';
import { REMOTE_SERVERS, type RemoteServer } from '../support/remote-servers.js';

const OPTIONS = { vocabulary: [], signal: new AbortController().signal };

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'zephyr-servers-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function startServer({ respond, options, hearsVocabulary }: RemoteServer) {
  const server = await FakeTranscriptionServer.start();
  server.responder = respond;
  server.vocabularyFields = hearsVocabulary ? [...(options.vocabularyFields ?? ['prompt'])] : [];
  return server;
}

describe.each(REMOTE_SERVERS)('$name', (product) => {
  let server: FakeTranscriptionServer;
  beforeAll(async () => void (server = await startServer(product)));
  afterAll(() => server.stop());

  describeEngineContract(`openai with ${product.name}`, {
    create: async () => createOpenAiEngine(server, { audioFormat: 'flac', ...product.options }),
    speech: async () => ({
      ...(await writeToneChunk(folder, 10)),
      words: ['one,', 'two', 'three', 'seven', 'ten.'],
    }),
    ...(product.hearsVocabulary && {
      term: async () => {
        server.vocabularyTerm = 'Dashwood';
        return { ...(await writeToneChunk(folder, 3)), term: 'Dashwood' };
      },
    }),
    activeWork: async () => [...server.openRequests],
  });

  it('the request has the form that the server accepts, and the answer is used in full', async () => {
    const fresh = await startServer(product);
    const engine = createOpenAiEngine(fresh, product.options);
    try {
      const { words, language, timesEstimated, doubtedWords } = await engine.transcribe(
        await writeToneChunk(folder, 2),
        OPTIONS,
      );
      expect(words.map(({ text }) => text)).toEqual(['One,', 'two.']);
      expect({ language, timesEstimated, doubtedWords }).toEqual({
        language: product.language,
        timesEstimated: product.times === 'estimated',
        doubtedWords: 0,
      });
      if (product.times === 'measured')
        expect(words.map(({ start, end }) => [start.toFixed(1), end.toFixed(1)])).toEqual([
          ['0.4', '0.9'],
          ['1.3', '1.8'],
        ]);
      expect(fresh.requests).toHaveLength(product.firstRequests);
    } finally {
      await engine.close();
      await fresh.stop();
    }
  });
});

describe('what a server is sent', () => {
  let server: FakeTranscriptionServer;
  let audio: { path: string; duration: number };
  beforeEach(async () => {
    server = await FakeTranscriptionServer.start();
    audio = await writeToneChunk(folder, 2);
  });
  afterEach(() => server.stop());

  it('the vocabulary is in the configured fields, and further fields replace those of the engine', async () => {
    const engine = createOpenAiEngine(server, {
      vocabularyFields: ['prompt', 'hotwords'],
      formFields: [
        ['language', 'auto'],
        ['temperature', '0.2'],
        ['include[]', 'logprobs'],
        ['include[]', 'usage'],
      ],
    });
    await engine.transcribe(audio, { ...OPTIONS, vocabulary: ['Dashwood', 'Ferrars'] });
    await engine.close();
    expect(server.requests[0]?.fields).toMatchObject({
      prompt: ['Dashwood, Ferrars'],
      hotwords: ['Dashwood, Ferrars'],
      language: ['auto'],
      temperature: ['0.2'],
      'include[]': ['logprobs', 'usage'],
    });
  });

  it('an error does not contain the values of further fields', async () => {
    const engine = createOpenAiEngine(server, { formFields: [['token', 'hunter2-hunter2']], attempts: 1 });
    server.queueMisbehaviours((response) => sendJson(response, 451, { token: 'hunter2-hunter2' }));
    const error = await engine.transcribe(audio, OPTIONS).catch((thrown: unknown) => thrown);
    await engine.close();
    expect(String((error as Error).cause)).toContain('[token]');
    expect(String((error as Error).cause)).not.toContain('hunter2');
  });

  it('a server that rejects FLAC gets WAV, after some chunks at once', async () => {
    const types: string[] = [];
    let rejections = 0;
    server.responder = (heard) => {
      types.push(heard.contentType);
      return heard.contentType === 'audio/flac'
        ? { status: 415, body: { detail: 'unsupported' } }
        : { status: 200, body: { text: heard.text, words: heard.words } };
    };
    const onFlacRejected = () => void (rejections += 1);
    const engine = createOpenAiEngine(server, { audioFormat: 'flac', onFlacRejected });
    for (let at = 0; at < 4; at += 1) expect((await engine.transcribe(audio, OPTIONS)).words).toHaveLength(2);
    await engine.close();
    const both = ['audio/flac', 'audio/wav'];
    expect(types).toEqual([...both, ...both, ...both, 'audio/wav']);
    expect(rejections).toBe(1);
  });
});
