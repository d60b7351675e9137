import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_RATE } from '../wav/pcm.js';
import { encodeWav } from '../wav/wav.js';
import {
  type ChunkTranscription,
  EngineUnavailableError,
  type RecognizedWord,
  type SpeechEngine,
  UnreadableChunkError,
} from './engine.js';

/** An aborted engine ends its work within this time. */
const ABORT_TIMEOUT_MS = 1_000;

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
  activeWork(): Promise<string[]>;
}

/** The promises of the engine port. */
export function describeEngineContract(name: string, subject: EngineUnderTest): void {
  describe(`SpeechEngine contract: ${name}`, () => {
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

    let transcription: Promise<ChunkTranscription> | undefined;
    /** Of the speech alone, which takes an engine seconds. */
    const transcribeSpeechOnce = () => (transcription ??= engine.transcribe(speech, never));

    const silence = async (seconds: number) => {
      const path = join(folder, `silence-${seconds}.wav`);
      await writeFile(path, encodeWav(new Int16Array(seconds * SAMPLE_RATE)));
      return { path, duration: seconds };
    };

    it('the engine passes its availability check and returns its identity', async () => {
      await engine.check();
      expect((await engine.identity()).name).toMatch(/^\w+$/);
      expect(engine.capabilities.languages).not.toHaveLength(0);
    });

    it('the engine returns words in order with valid times and confidence', async () => {
      const { words, language } = await transcribeSpeechOnce();
      expectInOrder(words, speech.words);
      if (engine.capabilities.wordTimes) expectTimes(words, speech.duration);
      for (const { text, confidence } of words) {
        expect(text).toMatch(/^\S+$/);
        if (confidence !== null) {
          expect(confidence).toBeGreaterThanOrEqual(0);
          expect(confidence).toBeLessThanOrEqual(1);
        }
      }
      if (engine.capabilities.languages !== 'any')
        expect([...engine.capabilities.languages, null]).toContain(language);
    });

    it('the engine returns no words for silence or empty audio', async () => {
      expect((await engine.transcribe(await silence(5), never)).words).toEqual([]);
      expect((await engine.transcribe(await silence(0), never)).words).toEqual([]);
    });

    it('the engine returns a vocabulary term as the caller wrote it', async (context) => {
      context.skip(!subject.term, 'The engine takes no vocabulary.');
      const { term, ...audio } = subject.term ? await subject.term() : { ...speech, term: '' };
      const other = ['Quagmire Holdings', '風', 'Zweibrücken', '!', ' '];
      const transcribeWith = async (vocabulary: string[]) => {
        const { words } = await engine.transcribe(audio, { ...never, vocabulary });
        expectTimes(words, audio.duration);
        return words.map((word) => word.text);
      };
      expect(engine.capabilities.vocabulary).toBe(true);
      expect(await transcribeWith([])).not.toContain(term);
      expect(await transcribeWith([term])).toContain(term);
      expect(await transcribeWith([...other, term, term.toUpperCase()])).toContain(term);
      expect(await transcribeWith(other)).not.toContain(term);
    });

    it('the engine returns no vocabulary term for silence', async () => {
      const { words } = await engine.transcribe(await silence(3), { ...never, vocabulary: ['Dashwood'] });
      expect(words).toEqual([]);
    });

    it('an aborted transcription ends within a second and leaves no work running', async () => {
      const abort = async () => {
        const controller = new AbortController();
        const reason = new Error('no longer wanted');
        const work = engine.transcribe(long, { vocabulary: [], signal: controller.signal });
        const outcome = work.catch((error: unknown) => error);
        await Promise.race([outcome, expect.poll(subject.activeWork).not.toEqual([])]);
        const abortedAt = performance.now();
        controller.abort(reason);
        expect(await outcome).toBe(reason);
        const took = performance.now() - abortedAt;
        await expect.poll(subject.activeWork).toEqual([]);
        return took;
      };
      // A machine that stands still may take the second itself, though hardly twice in three.
      if ((await abort()) < ABORT_TIMEOUT_MS) return;
      expect(await abort()).toBeLessThan(ABORT_TIMEOUT_MS);
      expect(await abort()).toBeLessThan(ABORT_TIMEOUT_MS);
    });

    it('does not start with a signal that is already aborted', async () => {
      const reason = new Error('too late');
      const options = { vocabulary: [], signal: AbortSignal.abort(reason) };
      await expect(engine.transcribe(speech, options)).rejects.toBe(reason);
    });

    it('concurrent transcriptions return the same words as a single one', async () => {
      const copy = join(folder, 'a copy with blanks.wav');
      await copyFile(speech.path, copy);
      const alone = await transcribeSpeechOnce();
      const together = await Promise.all([
        engine.transcribe(speech, never),
        engine.transcribe(await silence(3), never),
        engine.transcribe({ ...speech, path: copy }, never),
      ]);
      expect(together[0].words).toEqual(alone.words);
      expect(together[1].words).toEqual([]);
      expect(together[2].words).toEqual(alone.words);
    });

    it('an unreadable chunk throws UnreadableChunkError', async () => {
      const garbage = join(folder, 'garbage.wav');
      await writeFile(garbage, 'this is no sound');
      for (const path of [garbage, join(folder, 'missing.wav')]) {
        await expect(engine.transcribe({ path, duration: 1 }, never)).rejects.toBeInstanceOf(
          UnreadableChunkError,
        );
      }
    });

    it('closing the engine ends running transcriptions', async () => {
      const closing = await subject.create();
      const outcome = closing.transcribe(long, never).catch((error: unknown) => error);
      await expect.poll(subject.activeWork).not.toEqual([]);
      await closing.close();
      expect(await outcome).toBeInstanceOf(EngineUnavailableError);
      await expect.poll(subject.activeWork).toEqual([]);
    });
  });
}

function expectInOrder(words: RecognizedWord[], expected: string[]): void {
  let from = 0;
  for (const word of expected) {
    const at = words.findIndex(({ text }, index) => index >= from && text.toLowerCase() === word);
    expect(at, `"${word}" in order in: ${words.map(({ text }) => text).join(' ')}`).toBeGreaterThanOrEqual(
      from,
    );
    from = at + 1;
  }
}

function expectTimes(words: RecognizedWord[], duration: number): void {
  let last = 0;
  for (const { start, end } of words) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThanOrEqual(start);
    expect(end).toBeLessThanOrEqual(duration);
    last = start;
  }
}
