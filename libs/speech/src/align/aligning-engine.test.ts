import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EngineOptions, EngineResult, HeardWord, SpeechEngine } from '../engine/engine.js';
import { encodeWav } from '../wav/wav.js';
import { AligningEngine } from './aligning-engine.js';
import { saidStretches } from './said-stretches.js';
import type { AlignRequest, WordAligner } from './word-aligner.js';

const signal = new AbortController().signal;
const word = (text: string, start: number, end: number): HeardWord => ({
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
  readonly abilities;
  readonly asked: string[][] = [];

  constructor(
    private readonly result: EngineResult,
    vocabulary = false,
  ) {
    this.abilities = { languages: ['en'], wordTimes: false, punctuation: true, vocabulary };
  }

  identity = async () => ({ name: 'scripted', model: null, version: null });
  check = async () => undefined;
  close = async () => undefined;
  async transcribe(_audio: unknown, { vocabulary }: EngineOptions): Promise<EngineResult> {
    this.asked.push(vocabulary);
    return this.result;
  }
}

/** Finds every stretch but those with the word `three`, and takes `too` for the first term. */
class ScriptedAligner implements WordAligner {
  readonly languages = ['en'];
  readonly requests: AlignRequest[] = [];
  closed = false;

  async align(request: AlignRequest) {
    this.requests.push(request);
    const [term] = request.terms;
    return {
      unusedTerms: 0,
      stretches: request.stretches.map(({ words, start }) => ({
        count: words.length,
        found: words.includes('three')
          ? null
          : words.map((text, index) =>
              text === 'too,' && term
                ? { text: `${term},`, start: start + index, end: start + index, said: null }
                : { text, start: start + index, end: start + index, said: index },
            ),
      })),
    };
  }

  close(): void {
    this.closed = true;
  }
}

const estimated: EngineResult = { words: WORDS, language: 'en', timesEstimated: true };

async function heard(result: EngineResult, vocabulary: string[], hearsTerms = false) {
  const engine = new ScriptedEngine(result, hearsTerms);
  const aligner = new ScriptedAligner();
  const aligning = new AligningEngine(engine, aligner, (error) => expect.unreachable(String(error)));
  const answer = await aligning.transcribe(audio, { vocabulary, signal });
  return { answer, engine, aligner, aligning };
}

describe('AligningEngine', () => {
  it('takes the times that were found, keeps the rest, and says that some are estimated', async () => {
    const { answer } = await heard(estimated, []);
    expect(answer.words).toEqual([
      { ...WORDS[0], start: 0.25, end: 0.25 },
      { ...WORDS[1], start: 1.25, end: 1.25 },
      WORDS[2],
    ]);
    expect(answer.timesEstimated).toBe(true);
    const all = await heard({ ...estimated, words: WORDS.slice(0, 2) }, []);
    expect(all.answer.timesEstimated).toBe(false);
  });

  it('listens for terms that the engine cannot listen for, and says nothing of how sure they are', async () => {
    const { answer, engine } = await heard(estimated, ['Tewe']);
    expect(engine.asked).toEqual([[]]);
    expect(answer.words[1]).toMatchObject({ text: 'Tewe,', confidence: null, language: 'en' });
    expect(answer.unusedTerms).toBe(0);
  });

  it('leaves terms to an engine that listens for them, and the times that it tells', async () => {
    const { answer, engine, aligner } = await heard({ ...estimated, timesEstimated: false }, ['Tewe'], true);
    expect(engine.asked).toEqual([['Tewe']]);
    expect(aligner.requests).toEqual([]);
    expect(answer.words).toEqual(WORDS);
  });

  it('does nothing in a language that it does not know, and says that the terms were not used', async () => {
    const { answer, aligner } = await heard({ ...estimated, language: 'fr' }, ['Tewe']);
    expect(aligner.requests).toEqual([]);
    expect(answer).toEqual({ ...estimated, language: 'fr', unusedTerms: 1 });
  });

  it('keeps what was recognised when the search fails and says so, unless nobody wants it any more', async () => {
    const onSetback = vi.fn();
    const aligner = new ScriptedAligner();
    const failing: WordAligner = {
      languages: ['en'],
      align: async () => Promise.reject(new Error('out of memory')),
      close: () => aligner.close(),
    };
    const engine = new AligningEngine(new ScriptedEngine(estimated), failing, onSetback);
    expect((await engine.transcribe(audio, { vocabulary: [], signal })).words).toEqual(WORDS);
    expect(onSetback).toHaveBeenCalledExactlyOnceWith(new Error('out of memory'));
    const reason = new Error('no longer wanted');
    const aborted = engine.transcribe(audio, { vocabulary: [], signal: AbortSignal.abort(reason) });
    await expect(aborted).rejects.toThrow();
    expect(onSetback).toHaveBeenCalledTimes(1);
    await engine.close();
    expect(aligner.closed).toBe(true);
  });

  it.each(['ENOSPC', 'EDQUOT'])('leaves it to others to wait for room to search in: %s', async (code) => {
    const full = Object.assign(new Error(`${code}: no room`), { code });
    const failing: WordAligner = {
      languages: ['en'],
      align: () => Promise.reject(full),
      close: () => undefined,
    };
    const onSetback = vi.fn();
    const engine = new AligningEngine(new ScriptedEngine(estimated), failing, onSetback);
    await expect(engine.transcribe(audio, { vocabulary: [], signal })).rejects.toBe(full);
    expect(onSetback).not.toHaveBeenCalled();
  });
});

describe('saidStretches', () => {
  it('parts words at pauses, each with half of the pause at most', () => {
    expect(saidStretches(WORDS, 4.1)).toEqual([
      { start: 0.25, end: 1.75, words: ['one', 'too,'] },
      { start: 2.75, end: 4.1, words: ['three'] },
    ]);
    expect(saidStretches([], 4)).toEqual([]);
  });
});
