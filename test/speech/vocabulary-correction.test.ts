import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type EngineChoice, PocketsphinxEngine, VocabularyCorrector } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeTranscriptionServer, type HeardRequest } from '../support/fake-transcription-server.js';
import {
  compareWithSpoken,
  dialogue,
  listNamesInSentences,
  MADE_UP_NAMES,
  makeMisheardTranscripts,
} from '../support/material/index.js';
import { writeToneChunk } from '../support/openai-engine.js';
import { REMOTE_SERVERS, type RemoteServer } from '../support/remote-servers.js';

const { signal } = new AbortController();

describe.each([
  { language: 'en', minRight: 22 },
  { language: 'de', minRight: 22 },
  { language: 'es', minRight: 22 },
  { language: 'fr', minRight: 18 },
])('names that were held out, in $language', ({ language, minRight }) => {
  it.each([true, false])(
    'are right afterwards, and no other word changes; the engine is sure or not of each word: %s',
    async (hasConfidence) => {
      const names = listNamesInSentences(language).map(({ term }) => term);
      const terms = [...names, ...MADE_UP_NAMES].slice(0, 500);
      const corrector = new VocabularyCorrector();
      const transcripts = await makeMisheardTranscripts(language, { hasConfidence, seeds: [1, 2, 3] });
      const heldOut = transcripts.filter(({ isHeldOut }) => isHeldOut);
      let right = 0;
      for (const transcript of heldOut) {
        const { words } = await corrector.correct(transcript.transcription, terms, signal);
        const { isRight, changedWords } = compareWithSpoken(transcript, words);
        expect(changedWords, transcript.term).toEqual([]);
        if (isRight) right += 1;
      }
      expect(heldOut).toHaveLength(30);
      const before = heldOut.filter((each) => compareWithSpoken(each, each.transcription.words).isRight);
      expect(before.length).toBeLessThan(5);
      expect(right).toBeGreaterThanOrEqual(minRight);
    },
    120_000,
  );
});

describe('words that the engine recognised', () => {
  it.each([
    ['de', 'wir nutzen kubernetes, sagte frau kowalczyk.', 'wir nutzen Kubernetes, sagte frau Kowalczyk.'],
    ['en', 'it is the us that may use blue harbor', 'it is the us that may use Blue Harbor'],
    ['fr', 'il est là, dit quantivo', 'il est là, dit Quantivo'],
  ])('are spelled as the caller does, in %s, but common words stay', async (language, said, written) => {
    const words = said.split(' ').map((text, index) => ({
      ...{ text, start: index, end: index + 0.5, confidence: 0.9, language: null },
    }));
    const terms = ['Kubernetes', 'Kowalczyk', 'Blue Harbor', 'Quantivo', 'US', 'May', 'IT', 'Là', 'FRAU'];
    const corrected = await new VocabularyCorrector().correct({ words, language }, terms, signal);
    expect(corrected.words.map(({ text }) => text).join(' ')).toBe(written);
    const spelled = written.split(' ');
    expect(corrected.words).toEqual(words.map((word, index) => ({ ...word, text: spelled[index] })));
  });
});

/** Six tones are these words. */
function hearName(heard: HeardRequest): HeardRequest {
  const texts = ['The', 'letter', 'came', 'from', 'Mister', 'Kovalchick.'];
  return {
    ...heard,
    text: texts.join(' '),
    words: heard.words.map((word, index) => ({
      ...word,
      word: (texts[index] ?? '').replace('.', ''),
      probability: texts[index] === 'Kovalchick.' ? 0.5 : 0.95,
    })),
  };
}

function createRemoteEngine(server: FakeTranscriptionServer, { options }: RemoteServer) {
  const choice = { engine: 'openai' } as Partial<EngineChoice> as EngineChoice;
  return createEngine(choice, {
    sherpaThreads: 1,
    openaiBaseUrl: server.baseUrl,
    openaiModel: 'tones',
    openaiAudioFormat: 'wav',
    openaiVocabularyFields: options.vocabularyFields ?? ['prompt'],
    openaiFormFields: options.formFields ?? [],
    openaiConcurrency: 1,
    openaiTimeoutSeconds: 10,
    openaiAttempts: 3,
  });
}

describe.each(REMOTE_SERVERS)('the vocabulary with $name', (product) => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'zephyr-vocabulary-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('a name that the server does not know is written as the caller does, at the same time', async () => {
    const server = await FakeTranscriptionServer.start();
    server.responder = (heard) => product.respond(hearName(heard));
    const engine = createRemoteEngine(server, product);
    try {
      const audio = await writeToneChunk(folder, 6);
      const without = await engine.transcribe(audio, { vocabulary: [], signal });
      const vocabulary = ['Kowalczyk', 'Mast', 'Cane', 'Ladder'];
      const { words, unusedTerms } = await engine.transcribe(audio, { vocabulary, signal });
      expect(words.map(({ text }) => text).join(' ')).toBe('The letter came from Mister Kowalczyk.');
      const placesOf = (all: typeof words) => all.map(({ start, end, language }) => [start, end, language]);
      expect(placesOf(words)).toEqual(placesOf(without.words));
      expect(unusedTerms).toBe(0);
    } finally {
      await engine.close();
      await server.stop();
    }
  }, 60_000);
});

describe('the vocabulary with the embedded engine', () => {
  it('five hundred names that nobody says change no word of it', async () => {
    const engine = new PocketsphinxEngine();
    const corrector = new VocabularyCorrector();
    const { path, duration } = await dialogue({ seconds: 30, voices: 3, seed: 21 });
    try {
      const heard = await engine.transcribe({ path, duration }, { vocabulary: [], signal });
      const { words } = await corrector.correct(heard, MADE_UP_NAMES, signal);
      expect(heard.words.length).toBeGreaterThan(60);
      expect(words).toEqual(heard.words);
    } finally {
      await engine.close();
    }
  }, 120_000);
});
