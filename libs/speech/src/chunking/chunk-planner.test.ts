import { describe, expect, it } from 'vitest';
import type { ClassifiedFrame } from '../vad/frame.js';
import { buildChunkingParams, ChunkPlanner } from './chunk-planner.js';
import type { FrameRange } from '../vad/frame.js';

const SPEECH = -20;
const QUIET = -60;

/** Frames from pairs of seconds: speech, pause, speech, pause and so on. */
function frames(...seconds: number[]): ClassifiedFrame[] {
  return seconds.flatMap((length, index) => {
    const speech = index % 2 === 0;
    return Array.from({ length: Math.round(length * 50) }, () => ({
      levelDb: speech ? SPEECH : QUIET,
      isSpeech: speech,
    }));
  });
}

/** The chunks in seconds, and a check of what holds for any plan. */
function plan(all: ClassifiedFrame[], target = 30, max = 60): [number, number][] {
  const planner = new ChunkPlanner(buildChunkingParams(target, max));
  const spans: FrameRange[] = [];
  for (const frame of all) {
    const needed = planner.earliestNeededFrame;
    for (const span of planner.push(frame)) {
      expect(span.start).toBeGreaterThanOrEqual(needed);
      spans.push(span);
    }
  }
  spans.push(...planner.flush());
  checkPlan(spans, all, max);
  return spans.map(({ start, end }) => [start / 50, end / 50]);
}

function checkPlan(spans: FrameRange[], all: ClassifiedFrame[], max: number): void {
  let last = 0;
  for (const { start, end } of spans) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThan(start);
    expect(end).toBeLessThanOrEqual(all.length);
    expect(end - start).toBeLessThanOrEqual(max * 50);
    last = end;
    const speech = all.slice(start, end).map((frame) => frame.isSpeech);
    expect(speech.indexOf(true)).toBeLessThanOrEqual(15);
    expect(speech.length - 1 - speech.lastIndexOf(true)).toBeLessThanOrEqual(15);
  }
  const covered = spans.reduce(
    (sum, { start, end }) => sum + all.slice(start, end).filter((f) => f.isSpeech).length,
    0,
  );
  expect(covered).toBe(all.filter((frame) => frame.isSpeech).length);
}

describe('ChunkPlanner', () => {
  it('silence yields no chunk', () => {
    expect(plan(frames(0, 500))).toEqual([]);
    expect(plan([])).toEqual([]);
  });

  it('long silence is dropped except for the padding', () => {
    expect(plan(frames(0, 10, 5, 20, 3, 10))).toEqual([
      [9.7, 15.3],
      [34.7, 38.3],
    ]);
  });

  it('short pauses stay inside a chunk', () => {
    expect(plan(frames(4, 1.5, 4, 0.4, 4))).toEqual([[0, 13.9]]);
  });

  it('the split point is the middle of the longest pause near the target length', () => {
    expect(plan(frames(28, 0.2, 4, 0.4, 4, 0.2, 20))).toEqual([
      [0, 32.4],
      [32.4, 56.8],
    ]);
  });

  it('a pause near the target wins over a slightly longer one further away', () => {
    expect(plan(frames(20.4, 0.5, 9, 0.4, 20))[0]).toEqual([0, 30.1]);
  });

  it('the middle of a longer pause is dropped', () => {
    const [first, second] = plan(frames(30, 1.2, 30));
    expect(first?.[1]).toBe(30.3);
    expect(second?.[0]).toBe(30.9);
  });

  it('the quieter of two equal pauses is chosen', () => {
    const all = frames(27.8, 0.4, 3.6, 0.4, 20);
    const louder = all.map((frame, at) =>
      at < 29 * 50 && !frame.isSpeech ? { ...frame, levelDb: -40 } : frame,
    );
    expect(plan(louder)[0]?.[1]).toBeCloseTo(32, 5);
  });

  it('the planner waits for a pause beyond the target, up to the maximum length', () => {
    expect(plan(frames(50, 0.4, 20))[0]).toEqual([0, 50.2]);
  });

  it('prefers an early pause to splitting a word at the maximum length', () => {
    expect(plan(frames(5, 0.4, 70))[0]).toEqual([0, 5.2]);
  });

  it('splits a chunk without pauses at its quietest frame before the maximum', () => {
    const all = frames(100);
    all[2750] = { levelDb: -35, isSpeech: true };
    const spans = plan(all);
    expect(spans[0]).toEqual([0, 55]);
    expect(spans.at(-1)?.[1]).toBe(100);
  });

  it('uses a pause that has just begun at the maximum length', () => {
    expect(plan(frames(59.9, 0.6, 10))[0]).toEqual([0, 60]);
  });

  it('chunk invariants hold for hundreds of random speech patterns', () => {
    let state = 7;
    const random = () => (state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647) / 2_147_483_647;
    for (let round = 0; round < 200; round += 1) {
      const seconds = Array.from({ length: 30 }, (_, at) => random() ** 2 * (at % 2 === 0 ? 30 : 3));
      plan(frames(...seconds), 5 + random() * 20, 30);
    }
  });
});

describe('buildChunkingParams', () => {
  it('rejects inconsistent chunk lengths', () => {
    for (const [target, max] of [
      [0, 10],
      [30, 20],
      [Number.NaN, 60],
      [30, Infinity],
    ] as const) {
      expect(() => buildChunkingParams(target, max)).toThrow(RangeError);
    }
  });
});
