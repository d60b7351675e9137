import { describe, expect, it } from 'vitest';
import { CooperativeYielder } from '@app/async';
import {
  ACOUSTIC_FEATURE_COUNT,
  estimateCovarianceCholeskyFactor,
  solveLowerTriangular,
  type ConsecutiveWindowDifferences,
} from './within-speaker-covariance.js';
import { GaussianClusterSampler } from './testing/gaussian-cluster-sampler.js';

const yielder = new CooperativeYielder(new AbortController().signal);
const MIDDLE = new Array<number>(ACOUSTIC_FEATURE_COUNT).fill(0);
/** How much the voice of these tests scatters in each direction. */
const SCALE = MIDDLE.map((_, index) => 3 / (index + 1));
const OTHER_VOICE = MIDDLE.map((_, index) => (index % 3 === 0 ? 5 : 0));

describe('estimateCovarianceCholeskyFactor', () => {
  it('steps within a voice have unit variance per dimension, whatever their scale', async () => {
    const length = await lengthOfSteps(voiceSteps(2_000, 0));
    expect(length).toBeGreaterThan(0.85);
    expect(length).toBeLessThan(1.2);
  });

  it('steps between voices do not distort the estimate', async () => {
    const clean = await lengthOfSteps(voiceSteps(2_000, 0));
    const mixed = await lengthOfSteps(voiceSteps(2_000, 5));
    expect(mixed / clean).toBeGreaterThan(0.9);
    expect(mixed / clean).toBeLessThan(1.1);
  });

  it('the prior is used when there are no steps', async () => {
    const root = await estimateCovarianceCholeskyFactor(listed([]), yielder);
    expect(root.get(0, 0)).toBeGreaterThan(1);
    expect(root.get(ACOUSTIC_FEATURE_COUNT - 1, ACOUSTIC_FEATURE_COUNT - 1)).toBeLessThan(1);
  });
});

function listed(steps: Float64Array[]): ConsecutiveWindowDifferences {
  return { count: steps.length, at: (place) => steps[place] ?? new Float64Array(ACOUSTIC_FEATURE_COUNT) };
}

/** Steps of one voice; every so manieth goes to another one. */
function voiceSteps(count: number, every: number): Float64Array[] {
  const [from, to] = [new GaussianClusterSampler(1), new GaussianClusterSampler(2)].map((cloud) =>
    cloud.sample(MIDDLE, count),
  );
  return Array.from({ length: count }, (_, at) =>
    Float64Array.from(SCALE, (scale, index) => {
      const step = (to?.[at]?.mean[index] ?? 0) - (from?.[at]?.mean[index] ?? 0);
      return scale * (step + (every > 0 && at % every === 0 ? (OTHER_VOICE[index] ?? 0) : 0));
    }),
  );
}

/** Variance a direction that the steps within the voice have in the space that all the steps make. */
async function lengthOfSteps(steps: Float64Array[]): Promise<number> {
  const root = await estimateCovarianceCholeskyFactor(listed(steps), yielder);
  const squares = voiceSteps(2_000, 0).map((step) =>
    solveLowerTriangular(root, step, new Float64Array(ACOUSTIC_FEATURE_COUNT)).reduce(
      (sum, value) => sum + value * value,
      0,
    ),
  );
  return squares.reduce((sum, square) => sum + square, 0) / squares.length / ACOUSTIC_FEATURE_COUNT / 2;
}
