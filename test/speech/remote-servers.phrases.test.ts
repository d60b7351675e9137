import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sanitizeTranscriptionForStorage } from '@app/speech';
import { assembleTranscript, getExporter } from '@app/transcript';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TextLanguageDetectionEngineWrapper } from '../../libs/speech/src/language/text-language-detection-engine-wrapper.js';
import { buildAssemblyInput } from '../../libs/transcript/src/testing/samples.js';
import { FakeTranscriptionServer } from '../support/fake-transcription-server.js';
import { createOpenAiEngine, writeToneChunk } from '../support/openai-engine.js';

const TEXT = 'สวัสดีครับ ผมชื่อสมชาย';
const WORDS = ['สวัสดี', 'ครับ', 'ผม', 'ชื่อ', 'สมชาย'];
const OPTIONS = { vocabulary: [], signal: new AbortController().signal };

let folder: string;
let server: FakeTranscriptionServer;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'zephyr-phrases-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => void (server = await FakeTranscriptionServer.start()));
afterEach(() => server.stop());

const listed = { words: WORDS.map((word, at) => ({ word, start: at, end: at + 1 })) };
const segments = { words: null, segments: [{ id: 0, start: 0, end: 5, text: TEXT, avg_logprob: -0.2 }] };

/** Two chunks, through the JSON in which the first stage leaves its words. */
async function transcribeTwoChunks(body: object) {
  const chunk = await writeToneChunk(folder, 6);
  server.responder = () => ({
    status: 200,
    body: { task: 'transcribe', language: 'thai', text: TEXT, ...body },
  });
  const engine = new TextLanguageDetectionEngineWrapper(createOpenAiEngine(server));
  try {
    const results = [await engine.transcribe(chunk, OPTIONS), await engine.transcribe(chunk, OPTIONS)];
    return assembleTranscript(
      buildAssemblyInput(
        results.map((result, index) => ({
          ...{ index, start: index * chunk.duration, end: (index + 1) * chunk.duration, language: 'th' },
          words: JSON.parse(JSON.stringify(sanitizeTranscriptionForStorage(result).words)),
        })),
        { duration: 2 * chunk.duration, punctuated: true },
      ),
    );
  } finally {
    await engine.close();
  }
}

describe('Thai of a remote server', () => {
  it.each([
    ['words', listed],
    ['segments', segments],
    ['a text alone', { words: null }],
  ])('has the spaces between phrases of its text, if the server answers in %s', async (_, body) => {
    const document = await transcribeTwoChunks(body);
    expect(document.text).toBe(`${TEXT} ${TEXT}`);
    expect(document.segments.flatMap(({ words }) => words?.map(({ word }) => word))).toEqual([
      ...WORDS,
      ...WORDS,
    ]);
    expect(String(await getExporter('txt').render(document))).toContain(TEXT);
    expect(String(await getExporter('srt').render(document))).toContain(TEXT);
  });
});
