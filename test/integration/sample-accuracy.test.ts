import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PocketsphinxEngine } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transcribeFile, type FileTranscription } from '../support/transcribe-file.js';
import { normalizeText } from '../support/normalize-text.js';
import { computeWordErrors } from '../support/sclite.js';

interface Sheet {
  duration: number;
  turns: { speaker: string; text: string; start: number; end: number }[];
}

const sample = new URL('../../assets/sample/', import.meta.url);
const sheet = JSON.parse(readFileSync(new URL('dialogue.json', sample), 'utf8')) as Sheet;
const script = sheet.turns.map((turn) => turn.text).join(' ');

/** Maximum word error rate in percent. */
const MAX_ERROR_RATE = 8;
/** Seconds by which a word may exceed its turn. */
const TOLERANCE = 0.5;

describe('transcription of the bundled sample', () => {
  const engine = new PocketsphinxEngine();
  let transcription: FileTranscription;

  beforeAll(async () => {
    await engine.check();
    transcription = await transcribeFile(engine, fileURLToPath(new URL('dialogue.mp3', sample)));
  }, 120_000);
  afterAll(() => engine.close());

  it('the sample is split into several chunks', () => {
    expect(transcription.chunks).toBeGreaterThan(1);
    expect(transcription.duration).toBeCloseTo(sheet.duration, 0);
  });

  it(`the word error rate is below ${MAX_ERROR_RATE} %`, async () => {
    const errors = await computeWordErrors(script, transcription.words.map((word) => word.text).join(' '));
    console.log(
      `Bundled sample, ${transcription.chunks} chunks: ${errors.percent.toFixed(1)} % of ${errors.words} words`,
    );
    expect(errors.percent).toBeLessThan(MAX_ERROR_RATE);
  });

  it('every word lies within a speaker turn', () => {
    const wordsOutsideTurns = transcription.words.filter(
      (word) => !sheet.turns.some((turn) => covers(turn, word)),
    );
    expect(wordsOutsideTurns).toEqual([]);
  });

  it('the words of every speaker turn have the times of that turn', async () => {
    for (const turn of sheet.turns) {
      const turnWords = transcription.words.filter((word) => isWithin(turn, (word.start + word.end) / 2));
      const errors = await computeWordErrors(turn.text, turnWords.map((word) => word.text).join(' '));
      // A misplaced word causes single errors; a shift by a turn makes every word wrong.
      expect(errors.errors, `${turn.speaker}: ${turn.text}`).toBeLessThanOrEqual(computeMaxErrors(turn.text));
    }
  });
});

function covers(turn: { start: number; end: number }, word: { start: number; end: number }): boolean {
  return word.start >= turn.start - TOLERANCE && word.end <= turn.end + TOLERANCE;
}

function isWithin(turn: { start: number; end: number }, time: number): boolean {
  return time >= turn.start && time <= turn.end;
}

/** A third of the words, and at least three. */
function computeMaxErrors(text: string): number {
  return Math.max(3, Math.ceil(normalizeText(text).split(' ').length / 3));
}
