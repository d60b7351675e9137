import { describe, expect, it } from 'vitest';
import { computePriceInCredits } from './price.js';

describe('computePriceInCredits', () => {
  it.each([
    [0, 0],
    [0.001, 1],
    [1, 1],
    [1.01, 2],
    [59.9375, 60],
    [60, 60],
  ])('the price of %d seconds counts every started second: %d', (seconds, price) => {
    expect(computePriceInCredits(seconds, 1)).toBe(price);
  });

  it('every second costs a whole number of credits', () => {
    expect(computePriceInCredits(2.5, 7)).toBe(21);
    expect(computePriceInCredits(2.5, 0)).toBe(0);
  });

  it('a second that only rounding has started is not charged', () => {
    const processed = 16.01 - 1.01;
    expect(processed).toBeGreaterThan(15);
    expect(computePriceInCredits(processed, 1)).toBe(15);
  });
});
