import { describe, expect, it } from 'vitest';
import { computeReversedCredits } from './intent-snapshot.repository.js';

describe('computeReversedCredits', () => {
  it.each([
    [50, 5_000, 0, 0],
    [50, 5_000, 99, 0],
    [50, 5_000, 100, 1],
    [50, 5_000, 4_999, 49],
    [50, 5_000, 5_000, 50],
    [50, 5_000, 9_000, 50],
    [900_000_000_000, 1_000_000, 999_999, 899_999_100_000],
  ])('of %i credits for %i, a reversal of %i takes back %i', (credits, amount, reversed, expected) => {
    expect(computeReversedCredits(credits, amount, reversed)).toBe(expected);
  });
});
