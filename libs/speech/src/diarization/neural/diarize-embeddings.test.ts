import { describe, expect, it } from 'vitest';
import { CooperativeYielder } from '@app/async';
import { GaussianClusterSampler } from '../testing/gaussian-cluster-sampler.js';
import { diarizeEmbeddings } from './diarize-embeddings.js';
import { toUnitVector, type ChunkLocalSpeaker } from './speaker-embedding.js';

const yielder = new CooperativeYielder(new AbortController().signal);
const ALIKE = 0.5;
const DIMENSIONS = 48;
/** How far the embeddings of one voice scatter: their cosine is about 0.7, that of two voices about 0. */
const SCATTER = 0.66;

describe('diarizeEmbeddings', () => {
  it('speakers keep their number across chunks, in order of first appearance', async () => {
    const [anna, bert] = [new Voice(1), new Voice(2)];
    const voices = [0, 30, 60].flatMap((at) => [
      { turns: [span(at, at + 8), span(at + 16, at + 20)], embedding: bert.embed() },
      { turns: [span(at + 8.5, at + 15.5)], embedding: anna.embed() },
    ]);
    const turns = await diarizeEmbeddings(voices, ALIKE, yielder);
    expect(turns.map(({ speaker }) => speaker)).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0]);
    expect(turns[1]).toEqual({ speaker: 1, start: 8.5, end: 15.5 });
  });

  it('one voice is one speaker in a file of any length', async () => {
    const voice = new Voice(3);
    for (const chunks of [1, 2, 40, 400]) {
      const voices = Array.from({ length: chunks }, (_, at) => ({
        turns: [span(at * 30, at * 30 + 20)],
        embedding: voice.embed(),
      }));
      const turns = await diarizeEmbeddings(voices, ALIKE, yielder);
      expect(new Set(turns.map(({ speaker }) => speaker)), `${chunks} chunks`).toEqual(new Set([0]));
    }
  });

  it('seven speakers are separated over ten hours', { timeout: 30_000 }, async () => {
    const people = Array.from({ length: 7 }, (_, at) => new Voice(10 + at));
    const voices = Array.from({ length: 900 }, (_, at) => ({
      turns: [span(at * 40, at * 40 + 15)],
      embedding: people[(at * 5) % 7]?.embed() ?? null,
    }));
    const turns = await diarizeEmbeddings(voices, ALIKE, yielder);
    expect(turns.map(({ speaker }) => speaker)).toEqual(voices.map((_, at) => at % 7));
  });

  it('a voice with very little speech is assigned to the most similar speaker', async () => {
    const [anna, bert, echo] = [new Voice(1), new Voice(2), new Voice(2, 7)];
    const voices: ChunkLocalSpeaker[] = [
      { turns: [span(0, 20)], embedding: anna.embed() },
      { turns: [span(20, 40)], embedding: bert.embed() },
      { turns: [span(42, 42.4)], embedding: echo.embed() },
      { turns: [span(45, 65)], embedding: anna.embed() },
    ];
    const turns = await diarizeEmbeddings(voices, ALIKE, yielder);
    expect(turns.map(({ speaker, start }) => [speaker, start])).toEqual([
      [0, 0],
      [1, 20],
      [1, 42],
      [0, 45],
    ]);
  });

  it('a turn without an embedding goes to the nearest turn, and overlapping turns are preserved', async () => {
    const [anna, bert] = [new Voice(1), new Voice(2)];
    const voices: ChunkLocalSpeaker[] = [
      { turns: [span(0, 10)], embedding: anna.embed() },
      { turns: [span(8, 20)], embedding: bert.embed() },
      { turns: [span(21, 21.2)], embedding: null },
    ];
    expect(await diarizeEmbeddings(voices, ALIKE, yielder)).toEqual([
      { speaker: 0, start: 0, end: 10 },
      { speaker: 1, start: 8, end: 20 },
      { speaker: 1, start: 21, end: 21.2 },
    ]);
  });

  it('finds exactly as many speakers as the caller names', async () => {
    const people = Array.from({ length: 4 }, (_, at) => new Voice(20 + at));
    const voices = Array.from({ length: 24 }, (_, at) => ({
      turns: [span(at * 30, at * 30 + 15)],
      embedding: people[at % 4]?.embed() ?? null,
    }));
    for (const count of [1, 2, 3, 4, 6]) {
      const turns = await diarizeEmbeddings(voices, ALIKE, yielder, { min: count, max: count });
      expect(new Set(turns.map(({ speaker }) => speaker)).size).toBe(count);
    }
  });

  it('keeps the number that it finds between the limits of the caller', async () => {
    const people = [new Voice(1), new Voice(2), new Voice(3)];
    const voices = Array.from({ length: 30 }, (_, at) => ({
      turns: [span(at * 30, at * 30 + 15)],
      embedding: people[at % 3]?.embed() ?? null,
    }));
    const countWith = async (min: number, max: number) =>
      new Set((await diarizeEmbeddings(voices, ALIKE, yielder, { min, max })).map(({ speaker }) => speaker))
        .size;
    expect([await countWith(1, 8), await countWith(5, 8), await countWith(1, 2)]).toEqual([3, 5, 2]);
  });

  it('a stray sound is not one of the two speakers that the caller names', async () => {
    const [anna, bert, noise] = [new Voice(1), new Voice(2), new Voice(3)];
    const voices = Array.from({ length: 10 }, (_, at) => [
      { turns: [span(at * 30, at * 30 + 12)], embedding: anna.embed() },
      { turns: [span(at * 30 + 13, at * 30 + 25)], embedding: bert.embed() },
    ]).flat();
    const stray = { turns: [span(300, 302)], embedding: noise.embed() };
    const turns = await diarizeEmbeddings([...voices, stray], ALIKE, yielder, { min: 2, max: 2 });
    expect(turns.slice(0, 20).map(({ speaker }) => speaker)).toEqual(voices.map((_, at) => at % 2));
  });

  it('short voices and missing embeddings still yield turns, and no voices yield none', async () => {
    const short = { turns: [span(0, 0.5)], embedding: new Voice(1).embed() };
    expect(await diarizeEmbeddings([short], ALIKE, yielder)).toEqual([{ speaker: 0, start: 0, end: 0.5 }]);
    const mute = { turns: [span(1, 2)], embedding: null };
    expect(await diarizeEmbeddings([mute], ALIKE, yielder)).toEqual([{ speaker: 0, start: 1, end: 2 }]);
    expect(await diarizeEmbeddings([], ALIKE, yielder)).toEqual([]);
  });
});

function span(start: number, end: number): { start: number; end: number } {
  return { start, end };
}

/** Prints that scatter around a direction of their own. */
class Voice {
  private readonly cloud: GaussianClusterSampler;
  private readonly middle: number[];

  constructor(seed: number, noise = seed) {
    this.cloud = new GaussianClusterSampler(noise * 7919);
    const [own] = new GaussianClusterSampler(seed * 104_729).sample(Array<number>(DIMENSIONS).fill(0), 1);
    this.middle = Array.from(
      toUnitVector(own?.mean ?? []) ?? [],
      (value) => (value * Math.sqrt(DIMENSIONS)) / SCATTER,
    );
  }

  embed(): Float32Array | null {
    const [one] = this.cloud.sample(this.middle, 1);
    return toUnitVector(one?.mean ?? []);
  }
}
