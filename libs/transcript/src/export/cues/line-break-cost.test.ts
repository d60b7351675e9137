import { describe, expect, it } from 'vitest';
import type { CueToken } from './cue-token.js';
import { computeLineBreakCost } from './line-break-cost.js';

const token = (text: string): CueToken => ({ text, start: 0, end: 0, startsSegment: false }) as CueToken;
const costAfter = (text: string) => computeLineBreakCost(token(text), token('dann'));

describe('computeLineBreakCost', () => {
  it.each(['gut.“', 'gut.«', 'है।'])('is least after a sentence: %s', (text) => {
    expect(costAfter(text)).toBe(0);
  });

  it.each(['gut,', 'gut,“', 'gut,«', 'gut,”', 'نعم،', 'نعم؛'])('is low after a clause: %s', (text) => {
    expect(costAfter(text)).toBe(3);
  });

  it('is higher within a clause', () => {
    expect(costAfter('gut“')).toBe(10);
    expect(costAfter('the')).toBe(16);
  });
});
