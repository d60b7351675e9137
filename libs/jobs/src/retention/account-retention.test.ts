import { describe, expect, it } from 'vitest';
import { computeEffectiveRetentionDays } from './account-retention.js';

describe('computeEffectiveRetentionDays', () => {
  it.each([
    { chosen: null, operator: 0, days: null },
    { chosen: null, operator: 30, days: 30 },
    { chosen: 7, operator: 0, days: 7 },
    { chosen: 7, operator: 30, days: 7 },
    { chosen: 90, operator: 30, days: 30 },
  ])('an account that chose $chosen, with $operator of the operator: $days', ({ chosen, operator, days }) => {
    expect(computeEffectiveRetentionDays(chosen, operator)).toBe(days);
  });
});
