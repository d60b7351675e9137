import { describe, expect, it } from 'vitest';
import { Breather } from '../breather.js';
import { Cloud } from '../testing/cloud.js';
import { speakersByPrint } from './speakers-by-print.js';
import { direction, type LocalVoice } from './voice-print.js';

const breather = new Breather(new AbortController().signal);
const ALIKE = 0.5;
const DIMENSIONS = 48;
/** How far the prints of one voice scatter: their cosine is about 0.7, that of two voices about 0. */
const SCATTER = 0.66;

describe('speakersByPrint', () => {
  it('keeps a voice its number from chunk to chunk, numbered by first appearance', async () => {
    const [anna, bert] = [new Voice(1), new Voice(2)];
    const voices = [0, 30, 60].flatMap((at) => [
      { turns: [span(at, at + 8), span(at + 16, at + 20)], print: bert.print() },
      { turns: [span(at + 8.5, at + 15.5)], print: anna.print() },
    ]);
    const turns = await speakersByPrint(voices, ALIKE, breather);
    expect(turns.map(({ speaker }) => speaker)).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0]);
    expect(turns[1]).toEqual({ speaker: 1, start: 8.5, end: 15.5 });
  });

  it('takes one voice for one, in a file of any length', async () => {
    const voice = new Voice(3);
    for (const chunks of [1, 2, 40, 400]) {
      const voices = Array.from({ length: chunks }, (_, at) => ({
        turns: [span(at * 30, at * 30 + 20)],
        print: voice.print(),
      }));
      const turns = await speakersByPrint(voices, ALIKE, breather);
      expect(new Set(turns.map(({ speaker }) => speaker)), `${chunks} chunks`).toEqual(new Set([0]));
    }
  });

  it('tells seven voices over ten hours', { timeout: 30_000 }, async () => {
    const people = Array.from({ length: 7 }, (_, at) => new Voice(10 + at));
    const voices = Array.from({ length: 900 }, (_, at) => ({
      turns: [span(at * 40, at * 40 + 15)],
      print: people[(at * 5) % 7]?.print() ?? null,
    }));
    const turns = await speakersByPrint(voices, ALIKE, breather);
    expect(turns.map(({ speaker }) => speaker)).toEqual(voices.map((_, at) => at % 7));
  });

  it('counts a voice that says next to nothing to the one that it sounds most like', async () => {
    const [anna, bert, echo] = [new Voice(1), new Voice(2), new Voice(2, 7)];
    const voices: LocalVoice[] = [
      { turns: [span(0, 20)], print: anna.print() },
      { turns: [span(20, 40)], print: bert.print() },
      { turns: [span(42, 42.4)], print: echo.print() },
      { turns: [span(45, 65)], print: anna.print() },
    ];
    const turns = await speakersByPrint(voices, ALIKE, breather);
    expect(turns.map(({ speaker, start }) => [speaker, start])).toEqual([
      [0, 0],
      [1, 20],
      [1, 42],
      [0, 45],
    ]);
  });

  it('gives a turn without a print to the nearest voice, and overlapping turns to both', async () => {
    const [anna, bert] = [new Voice(1), new Voice(2)];
    const voices: LocalVoice[] = [
      { turns: [span(0, 10)], print: anna.print() },
      { turns: [span(8, 20)], print: bert.print() },
      { turns: [span(21, 21.2)], print: null },
    ];
    expect(await speakersByPrint(voices, ALIKE, breather)).toEqual([
      { speaker: 0, start: 0, end: 10 },
      { speaker: 1, start: 8, end: 20 },
      { speaker: 1, start: 21, end: 21.2 },
    ]);
  });

  it('tells something where all are short or none has a print, and nothing of nothing', async () => {
    const short = { turns: [span(0, 0.5)], print: new Voice(1).print() };
    expect(await speakersByPrint([short], ALIKE, breather)).toEqual([{ speaker: 0, start: 0, end: 0.5 }]);
    const mute = { turns: [span(1, 2)], print: null };
    expect(await speakersByPrint([mute], ALIKE, breather)).toEqual([{ speaker: 0, start: 1, end: 2 }]);
    expect(await speakersByPrint([], ALIKE, breather)).toEqual([]);
  });
});

function span(start: number, end: number): { start: number; end: number } {
  return { start, end };
}

/** Prints that scatter around a direction of their own. */
class Voice {
  private readonly cloud: Cloud;
  private readonly middle: number[];

  constructor(seed: number, noise = seed) {
    this.cloud = new Cloud(noise * 7919);
    const [own] = new Cloud(seed * 104_729).around(Array<number>(DIMENSIONS).fill(0), 1);
    this.middle = Array.from(
      direction(own?.mean ?? []) ?? [],
      (value) => (value * Math.sqrt(DIMENSIONS)) / SCATTER,
    );
  }

  print(): Float32Array | null {
    const [one] = this.cloud.around(this.middle, 1);
    return direction(one?.mean ?? []);
  }
}
