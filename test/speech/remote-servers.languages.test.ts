import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AlignmentRequest,
  type WordAndTermAligner,
  WordAndTermAlignmentEngineWrapper,
} from '@app/speech';
import { assembleTranscript } from '@app/transcript';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TextLanguageDetectionEngineWrapper } from '../../libs/speech/src/language/text-language-detection-engine-wrapper.js';
import { buildAssemblyInput } from '../../libs/transcript/src/testing/samples.js';
import { FakeTranscriptionServer } from '../support/fake-transcription-server.js';
import { createOpenAiEngine, writeToneChunk } from '../support/openai-engine.js';

const OPTIONS = { vocabulary: [], signal: new AbortController().signal };
const ENGLISH = 'nobody knew where the old man had gone that evening';
const GERMAN = 'ich möchte bitte einen Kaffee mit Milch und Zucker bestellen';

let folder: string;
let server: FakeTranscriptionServer;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'zephyr-languages-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => void (server = await FakeTranscriptionServer.start()));
afterEach(() => server.stop());

/** Finds nothing, so that words keep their times. */
class RecordingAligner implements WordAndTermAligner {
  readonly languages = ['en'];
  readonly requests: AlignmentRequest[] = [];

  async align(request: AlignmentRequest) {
    this.requests.push(request);
    return {
      segments: request.segments.map(({ words }) => ({ found: null, count: words.length })),
      unusedTerms: 0,
    };
  }

  close(): void {}
}

/** Two segments without a pause or a mark between them, as servers answer that tell no word times. */
async function transcribeSegments(language: string | null, aligner: WordAndTermAligner) {
  const chunk = await writeToneChunk(folder, 6);
  const half = chunk.duration / 2;
  server.responder = () => ({
    status: 200,
    body: {
      ...{ task: 'transcribe', language, text: `${ENGLISH} ${GERMAN}`, words: null },
      segments: [
        { id: 0, start: 0, end: half, text: ` ${ENGLISH}`, avg_logprob: -0.2 },
        { id: 1, start: half, end: chunk.duration, text: ` ${GERMAN}`, avg_logprob: -0.2 },
      ],
    },
  });
  const engine = new WordAndTermAlignmentEngineWrapper(
    new TextLanguageDetectionEngineWrapper(createOpenAiEngine(server)),
    aligner,
    () => undefined,
  );
  try {
    return { chunk, result: await engine.transcribe(chunk, OPTIONS) };
  } finally {
    await engine.close();
  }
}

describe('two languages in one chunk of a remote server that answers in segments', () => {
  it.each([null, 'english', 'german'])(
    'each segment has its own, if the server reports %s',
    async (language) => {
      const aligner = new RecordingAligner();
      const { chunk, result } = await transcribeSegments(language, aligner);
      const document = assembleTranscript(
        buildAssemblyInput(
          [{ index: 0, start: 0, end: chunk.duration, language: result.language, words: result.words }],
          { duration: chunk.duration, punctuated: true },
        ),
      );
      expect(document.segments.map((segment) => [segment.language, segment.text])).toEqual([
        ['en', ENGLISH],
        ['de', GERMAN],
      ]);
      expect(document.languages.toSorted()).toEqual(['de', 'en']);
      expect(
        aligner.requests.flatMap(({ segments }) => segments.map(({ words }) => words.join(' '))),
      ).toEqual([ENGLISH]);
    },
  );
});
