import { describe, expect, it } from 'vitest';
import { hasReplayable } from './has-replayable.ts';

const test = { event: 'test', replayable: true } as const;
const ofDisabledEndpoint = { event: 'failed', replayable: false } as const;

describe('hasReplayable', () => {
  it('is false for tests and for deliveries of disabled endpoints', () => {
    expect(hasReplayable([{ deliveries: [test, ofDisabledEndpoint] }])).toBe(false);
    expect(hasReplayable([])).toBe(false);
  });

  it('is true if one of any page can be replayed', () => {
    const deliveries = [test, { event: 'failed', replayable: true } as const];
    expect(hasReplayable([{ deliveries: [test] }, { deliveries }])).toBe(true);
  });
});
