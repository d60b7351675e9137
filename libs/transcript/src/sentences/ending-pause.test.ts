import { describe, expect, it } from 'vitest';
import { endingPause, USUAL_PAUSE } from './ending-pause.js';

const pauses = (length: number, count = 20) => Array.from({ length: count }, () => length);

describe('endingPause', () => {
  it('follows how somebody pauses', () => {
    expect(endingPause(pauses(0.5))).toBeCloseTo(0.6);
    expect(endingPause(pauses(0.35))).toBeCloseTo(0.42);
  });

  it('stays within bounds', () => {
    expect(endingPause(pauses(2))).toBe(0.9);
    expect(endingPause(pauses(0.12))).toBe(0.3);
  });

  it('is the usual one where few pauses are known; what is none and what is no breath do not count', () => {
    expect(endingPause([])).toBe(USUAL_PAUSE);
    expect(endingPause(pauses(0.3, 11))).toBe(USUAL_PAUSE);
    expect(endingPause([...pauses(0.3, 11), ...pauses(0.02), ...pauses(60)])).toBe(USUAL_PAUSE);
  });
});
