import { describe, expect, it } from 'vitest';
import { Breather } from './breather.js';
import { DIMENSIONS, scatterRoot, solveLower, type Steps } from './scatter.js';
import { Cloud } from './testing/cloud.js';

const breather = new Breather(new AbortController().signal);
const MIDDLE = new Array<number>(DIMENSIONS).fill(0);
/** How much the voice of these tests scatters in each direction. */
const SCALE = MIDDLE.map((_, index) => 3 / (index + 1));
const OTHER_VOICE = MIDDLE.map((_, index) => (index % 3 === 0 ? 5 : 0));

describe('scatterRoot', () => {
  it('makes the steps within a voice of length one a direction, whatever their scale', async () => {
    const length = await lengthOfSteps(voiceSteps(2_000, 0));
    expect(length).toBeGreaterThan(0.85);
    expect(length).toBeLessThan(1.2);
  });

  it('is not misled by steps from one voice to another', async () => {
    const clean = await lengthOfSteps(voiceSteps(2_000, 0));
    const mixed = await lengthOfSteps(voiceSteps(2_000, 5));
    expect(mixed / clean).toBeGreaterThan(0.9);
    expect(mixed / clean).toBeLessThan(1.1);
  });

  it('goes by what is to be expected when there is nothing to measure', async () => {
    const root = await scatterRoot(listed([]), breather);
    expect(root.get(0, 0)).toBeGreaterThan(1);
    expect(root.get(DIMENSIONS - 1, DIMENSIONS - 1)).toBeLessThan(1);
  });
});

function listed(steps: Float64Array[]): Steps {
  return { count: steps.length, at: (place) => steps[place] ?? new Float64Array(DIMENSIONS) };
}

/** Steps of one voice; every so manieth goes to another one. */
function voiceSteps(count: number, every: number): Float64Array[] {
  const [from, to] = [new Cloud(1), new Cloud(2)].map((cloud) => cloud.around(MIDDLE, count));
  return Array.from({ length: count }, (_, at) =>
    Float64Array.from(SCALE, (scale, index) => {
      const step = (to?.[at]?.mean[index] ?? 0) - (from?.[at]?.mean[index] ?? 0);
      return scale * (step + (every > 0 && at % every === 0 ? (OTHER_VOICE[index] ?? 0) : 0));
    }),
  );
}

/** Variance a direction that the steps within the voice have in the space that all the steps make. */
async function lengthOfSteps(steps: Float64Array[]): Promise<number> {
  const root = await scatterRoot(listed(steps), breather);
  const squares = voiceSteps(2_000, 0).map((step) =>
    solveLower(root, step, new Float64Array(DIMENSIONS)).reduce((sum, value) => sum + value * value, 0),
  );
  return squares.reduce((sum, square) => sum + square, 0) / squares.length / DIMENSIONS / 2;
}
