import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type {
  RecognitionOptions,
  ChunkTranscription,
  RecognizedWord,
  SpeechEngine,
} from '../engine/engine.js';
import { encodeWav } from '../wav/wav.js';
import {
  WordAndTermAlignmentEngineWrapper,
  groupWordsIntoAlignmentSegments,
} from './word-and-term-alignment-engine-wrapper.js';
import type { AlignmentRequest, WordAndTermAligner } from './word-and-term-aligner.js';

const signal = new AbortController().signal;
const word = (text: string, start: number, end: number): RecognizedWord => ({
  text,
  start,
  end,
  confidence: 0.5,
  language: 'en',
});
const WORDS = [word('one', 0.5, 1), word('too,', 1, 1.5), word('three', 3, 4)];

let folder: string;
let audio: { path: string; duration: number };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-aligning-'));
  audio = { path: join(folder, 'chunk.wav'), duration: 5 };
  await writeFile(audio.path, encodeWav(new Int16Array(5 * 16_000)));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

class ScriptedEngine implements SpeechEngine {
  readonly capabilities;
  readonly asked: string[][] = [];

  constructor(
    private readonly result: ChunkTranscription,
    vocabulary = false,
  ) {
    this.capabilities = { languages: ['en'], wordTimes: false, punctuation: true, vocabulary };
  }

  identity = async () => ({ name: 'scripted', model: null, version: null });
  check = async () => undefined;
  close = async () => undefined;
  async transcribe(_audio: unknown, { vocabulary }: RecognitionOptions): Promise<ChunkTranscription> {
    this.asked.push(vocabulary);
    return this.result;
  }
}

/** Finds every stretch but those with the word `three`, and takes `too` for the first term. */
class ScriptedAligner implements WordAndTermAligner {
  readonly languages = ['en'];
  readonly requests: AlignmentRequest[] = [];
  closed = false;

  async align(request: AlignmentRequest) {
    this.requests.push(request);
    const [term] = request.terms;
    return {
      unusedTerms: 0,
      segments: request.segments.map(({ words, start }) => ({
        count: words.length,
        found: words.includes('three')
          ? null
          : words.map((text, index) =>
              text === 'too,' && term
                ? { text: `${term},`, start: start + index, end: start + index, segmentWordIndex: null }
                : { text, start: start + index, end: start + index, segmentWordIndex: index },
            ),
      })),
    };
  }

  close(): void {
    this.closed = true;
  }
}

const estimated: ChunkTranscription = { words: WORDS, language: 'en', timesEstimated: true };

async function transcribe(result: ChunkTranscription, vocabulary: string[], supportsVocabulary = false) {
  const engine = new ScriptedEngine(result, supportsVocabulary);
  const aligner = new ScriptedAligner();
  const aligning = new WordAndTermAlignmentEngineWrapper(engine, aligner, (error) =>
    expect.unreachable(String(error)),
  );
  const transcription = await aligning.transcribe(audio, { vocabulary, signal });
  return { answer: transcription, engine, aligner, aligning };
}

describe('WordAndTermAlignmentEngineWrapper', () => {
  it('warms up the engine', () => {
    const warmUp = vi.fn();
    const engine = Object.assign(new ScriptedEngine(estimated), { warmUp });
    new WordAndTermAlignmentEngineWrapper(engine, new ScriptedAligner(), vi.fn()).warmUp(['Kowalczyk']);
    expect(warmUp).toHaveBeenCalledExactlyOnceWith(['Kowalczyk']);
  });

  it('any number of words is aligned', async () => {
    const words = Array.from({ length: 200_000 }, (_, at) => word('one', at / 1e5, (at + 1) / 1e5));
    const { answer } = await transcribe({ ...estimated, words }, []);
    expect(answer.words).toHaveLength(200_000);
    expect(answer.timesEstimated).toBe(false);
  });

  it('the engine applies aligned times, keeps the others, and marks the result as estimated', async () => {
    const { answer: transcription } = await transcribe(estimated, []);
    expect(transcription.words).toEqual([
      { ...WORDS[0], start: 0.25, end: 0.25 },
      { ...WORDS[1], start: 1.25, end: 1.25 },
      WORDS[2],
    ]);
    expect(transcription.timesEstimated).toBe(true);
    const all = await transcribe({ ...estimated, words: WORDS.slice(0, 2) }, []);
    expect(all.answer.timesEstimated).toBe(false);
  });

  it('the number of terms that the engine left out stays after the alignment of estimated times', async () => {
    const { answer } = await transcribe({ ...estimated, unusedTerms: 150 }, ['Kowalczyk'], true);
    expect(answer.unusedTerms).toBe(150);
  });

  it('aligned words keep the space before a phrase', async () => {
    const [one, two] = [word('one', 0.5, 1), { ...word('two', 1.5, 2), spaceBefore: true as const }];
    const { answer } = await transcribe({ ...estimated, words: [one, two] }, []);
    expect(answer.words.map(({ start, spaceBefore }) => [start, spaceBefore])).toEqual([
      [0.25, undefined],
      [1.25, true],
    ]);
  });

  it('aligns only words in a language of the aligner, whatever the language of the chunk', async () => {
    const german = { ...word('drei', 1.5, 2), language: 'de' };
    const words = [word('one', 0.5, 1), german, word('two', 2, 2.5)];
    const { answer, aligner } = await transcribe({ ...estimated, words, language: 'de' }, []);
    expect(aligner.requests[0]?.segments.map(({ words: texts }) => texts)).toEqual([['one'], ['two']]);
    expect(answer.words.map(({ text, start }) => [text, start])).toEqual([
      ['one', 0.25],
      ['drei', 1.5],
      ['two', 2],
    ]);
    expect(answer.words[1]).toEqual(german);
    expect(answer.timesEstimated).toBe(true);
  });

  it('aligns English of any region', async () => {
    const words = WORDS.map((each) => ({ ...each, language: null }));
    const { aligner } = await transcribe({ ...estimated, words, language: 'en-US' }, []);
    expect(aligner.requests).toHaveLength(1);
  });

  it('the aligner finds vocabulary terms for an engine without vocabulary support, with null confidence', async () => {
    const { answer: transcription, engine } = await transcribe(estimated, ['Tewe']);
    expect(engine.asked).toEqual([[]]);
    expect(transcription.words[1]).toMatchObject({ text: 'Tewe,', confidence: null, language: 'en' });
    expect(transcription.unusedTerms).toBe(0);
  });

  it('the aligner is not used when the engine supports vocabulary and word times', async () => {
    const {
      answer: transcription,
      engine,
      aligner,
    } = await transcribe({ ...estimated, timesEstimated: false }, ['Tewe'], true);
    expect(engine.asked).toEqual([['Tewe']]);
    expect(aligner.requests).toEqual([]);
    expect(transcription.words).toEqual(WORDS);
  });

  it('the aligner skips an unsupported language and counts the terms as unused', async () => {
    const words = WORDS.map((each) => ({ ...each, language: null }));
    const french = { ...estimated, words, language: 'fr' };
    const { answer: transcription, aligner } = await transcribe(french, ['Tewe']);
    expect(aligner.requests).toEqual([]);
    expect(transcription).toEqual({ ...french, unusedTerms: 1 });
  });

  it('a failed alignment keeps the recognized words and is reported, unless the call was aborted', async () => {
    const onSetback = vi.fn();
    const aligner = new ScriptedAligner();
    const failing: WordAndTermAligner = {
      languages: ['en'],
      align: async () => Promise.reject(new Error('out of memory')),
      close: () => aligner.close(),
    };
    const engine = new WordAndTermAlignmentEngineWrapper(new ScriptedEngine(estimated), failing, onSetback);
    expect((await engine.transcribe(audio, { vocabulary: [], signal })).words).toEqual(WORDS);
    expect(onSetback).toHaveBeenCalledExactlyOnceWith(new Error('out of memory'));
    const reason = new Error('no longer wanted');
    const aborted = engine.transcribe(audio, { vocabulary: [], signal: AbortSignal.abort(reason) });
    await expect(aborted).rejects.toThrow();
    expect(onSetback).toHaveBeenCalledTimes(1);
    await engine.close();
    expect(aligner.closed).toBe(true);
  });

  it.each(['ENOSPC', 'EDQUOT'])('a full disk during alignment is thrown to the caller: %s', async (code) => {
    const full = Object.assign(new Error(`${code}: no room`), { code });
    const failing: WordAndTermAligner = {
      languages: ['en'],
      align: () => Promise.reject(full),
      close: () => undefined,
    };
    const onSetback = vi.fn();
    const engine = new WordAndTermAlignmentEngineWrapper(new ScriptedEngine(estimated), failing, onSetback);
    await expect(engine.transcribe(audio, { vocabulary: [], signal })).rejects.toBe(full);
    expect(onSetback).not.toHaveBeenCalled();
  });
});

describe('groupWordsIntoAlignmentSegments', () => {
  it('splits words at pauses and pads each group by at most half the pause', () => {
    expect(groupWordsIntoAlignmentSegments(WORDS, 4.1)).toEqual([
      { start: 0.25, end: 1.75, words: ['one', 'too,'], language: 'en' },
      { start: 2.75, end: 4.1, words: ['three'], language: 'en' },
    ]);
    expect(groupWordsIntoAlignmentSegments([], 4)).toEqual([]);
  });
});

describe('groupWordsIntoAlignmentSegments with estimated times', () => {
  it('words in one estimated span stay together, with all audio in which they may be', () => {
    const estimatedWord = (
      text: string,
      start: number,
      end: number,
      estimatedWithin: { start: number; end: number },
    ) => ({
      ...word(text, start, end),
      estimatedWithin,
    });
    const [first, second] = [
      { start: 0.5, end: 4 },
      { start: 5, end: 6 },
    ];
    const words = [
      estimatedWord('one', 0.6, 1, first),
      estimatedWord('two', 3, 3.5, first),
      estimatedWord('three', 5.2, 5.5, second),
    ];
    expect(groupWordsIntoAlignmentSegments(words, 7)).toEqual([
      { start: 0.25, end: 4.25, words: ['one', 'two'], language: 'en' },
      { start: 4.75, end: 6.25, words: ['three'], language: 'en' },
    ]);
  });

  it('words of two languages in one estimated span are parted where they are estimated to be', () => {
    const within = (text: string, start: number, end: number, language: string) => ({
      ...word(text, start, end),
      ...{ language, estimatedWithin: { start: 0, end: 10 } },
    });
    const words = [within('one', 0, 4, 'en'), within('two', 4, 8, 'en'), within('drei', 8, 10, 'de')];
    expect(groupWordsIntoAlignmentSegments(words, 10)).toMatchObject([
      { start: 0, end: 8, words: ['one', 'two'] },
      { start: 8, end: 10, words: ['drei'] },
    ]);
  });
});
