import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_RATE } from '../wav/sample-rate.js';
import { encodeWav } from '../wav/wav.js';
import type { HeardWord, SpeechEngine } from './engine.js';
import { ChunkUnreadable, EngineUnavailable } from './engine-errors.js';

/** In which an engine ends its work when that is no longer wanted. */
const WITHIN_MS = 1_000;

/** What an adapter brings to the suite. */
export interface EngineUnderTest {
  create(): Promise<SpeechEngine>;
  /** A chunk of clear speech of at least eight seconds, and some of its words in order of time. */
  speech(): Promise<{ path: string; duration: number; words: string[] }>;
  /** A chunk in which a term is said that the engine does not know; for engines that listen for given terms. */
  term?(): Promise<{ path: string; duration: number; term: string }>;
  /** A chunk that keeps the engine at work for a second or more; `speech` when left out. */
  long?(): Promise<{ path: string; duration: number }>;
  /**
   * What the engine is at now, as seen from outside: command lines of processes that work on a chunk, requests that are
   * open. Empty when it is idle; processes that are kept warm do not count.
   */
  underWay(): Promise<string[]>;
}

/** The promises of the engine port. */
export function engineContract(name: string, subject: EngineUnderTest): void {
  describe(`${name} keeps the engine contract`, () => {
    const never = { vocabulary: [], signal: new AbortController().signal };
    let engine: SpeechEngine;
    let folder: string;
    let speech: Awaited<ReturnType<EngineUnderTest['speech']>>;
    let long: { path: string; duration: number };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'zephyr-engine-'));
      speech = await subject.speech();
      long = (await subject.long?.()) ?? speech;
      engine = await subject.create();
    });

    afterAll(async () => {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    });

    const silence = async (seconds: number) => {
      const path = join(folder, `silence-${seconds}.wav`);
      await writeFile(path, encodeWav(new Int16Array(seconds * SAMPLE_RATE)));
      return { path, duration: seconds };
    };

    it('passes its own check and tells who it is', async () => {
      await engine.check();
      expect((await engine.identity()).name).toMatch(/^\w+$/);
      expect(engine.abilities.languages).not.toHaveLength(0);
    });

    it('hears the words in order, with honest times and confidence', async () => {
      const { words, language } = await engine.transcribe(speech, never);
      expectInOrder(words, speech.words);
      if (engine.abilities.wordTimes) expectTimes(words, speech.duration);
      for (const { text, confidence } of words) {
        expect(text).toMatch(/^\S+$/);
        if (confidence !== null) {
          expect(confidence).toBeGreaterThanOrEqual(0);
          expect(confidence).toBeLessThanOrEqual(1);
        }
      }
      if (engine.abilities.languages !== 'any')
        expect([...engine.abilities.languages, null]).toContain(language);
    });

    it('hears nothing in silence, and nothing in no sound at all', async () => {
      expect((await engine.transcribe(await silence(5), never)).words).toEqual([]);
      expect((await engine.transcribe(await silence(0), never)).words).toEqual([]);
    });

    it.skipIf(!subject.term)('hears a term right, and as it is written, when it is given', async () => {
      const { term, ...audio } = subject.term ? await subject.term() : { ...speech, term: '' };
      const other = ['Quagmire Holdings', '風', 'Zweibrücken', '!', ' '];
      const heardWith = async (vocabulary: string[]) => {
        const { words } = await engine.transcribe(audio, { ...never, vocabulary });
        expectTimes(words, audio.duration);
        return words.map((word) => word.text);
      };
      expect(engine.abilities.vocabulary).toBe(true);
      expect(await heardWith([])).not.toContain(term);
      expect(await heardWith([term])).toContain(term);
      expect(await heardWith([...other, term, term.toUpperCase()])).toContain(term);
      expect(await heardWith(other)).not.toContain(term);
    });

    it('hears no given term in silence', async () => {
      const { words } = await engine.transcribe(await silence(3), { ...never, vocabulary: ['Dashwood'] });
      expect(words).toEqual([]);
    });

    it('ends within a second when aborted, and leaves nothing under way', async () => {
      const abort = async () => {
        const controller = new AbortController();
        const reason = new Error('no longer wanted');
        const work = engine.transcribe(long, { vocabulary: [], signal: controller.signal });
        const outcome = work.catch((error: unknown) => error);
        await Promise.race([outcome, expect.poll(subject.underWay).not.toEqual([])]);
        const asked = performance.now();
        controller.abort(reason);
        expect(await outcome).toBe(reason);
        const took = performance.now() - asked;
        await expect.poll(subject.underWay).toEqual([]);
        return took;
      };
      // A machine that stands still may take the second itself, though hardly twice in three.
      if ((await abort()) < WITHIN_MS) return;
      expect(await abort()).toBeLessThan(WITHIN_MS);
      expect(await abort()).toBeLessThan(WITHIN_MS);
    });

    it('does not begin when it is aborted already', async () => {
      const reason = new Error('too late');
      const options = { vocabulary: [], signal: AbortSignal.abort(reason) };
      await expect(engine.transcribe(speech, options)).rejects.toBe(reason);
    });

    it('gives each of several calls at once what it gives alone', async () => {
      const copy = join(folder, 'a copy with blanks.wav');
      await copyFile(speech.path, copy);
      const alone = await engine.transcribe(speech, never);
      const together = await Promise.all([
        engine.transcribe(speech, never),
        engine.transcribe(await silence(3), never),
        engine.transcribe({ ...speech, path: copy }, never),
      ]);
      expect(together[0].words).toEqual(alone.words);
      expect(together[1].words).toEqual([]);
      expect(together[2].words).toEqual(alone.words);
    });

    it('says so when the chunk cannot be read', async () => {
      const garbage = join(folder, 'garbage.wav');
      await writeFile(garbage, 'this is no sound');
      for (const path of [garbage, join(folder, 'missing.wav')]) {
        await expect(engine.transcribe({ path, duration: 1 }, never)).rejects.toBeInstanceOf(ChunkUnreadable);
      }
    });

    it('ends its work when it is closed', async () => {
      const closing = await subject.create();
      const outcome = closing.transcribe(long, never).catch((error: unknown) => error);
      await expect.poll(subject.underWay).not.toEqual([]);
      await closing.close();
      expect(await outcome).toBeInstanceOf(EngineUnavailable);
      await expect.poll(subject.underWay).toEqual([]);
    });
  });
}

function expectInOrder(words: HeardWord[], expected: string[]): void {
  let from = 0;
  for (const word of expected) {
    const at = words.findIndex((heard, index) => index >= from && heard.text.toLowerCase() === word);
    expect(at, `"${word}" in order in: ${words.map((heard) => heard.text).join(' ')}`).toBeGreaterThanOrEqual(
      from,
    );
    from = at + 1;
  }
}

function expectTimes(words: HeardWord[], duration: number): void {
  let last = 0;
  for (const { start, end } of words) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThanOrEqual(start);
    expect(end).toBeLessThanOrEqual(duration);
    last = start;
  }
}
