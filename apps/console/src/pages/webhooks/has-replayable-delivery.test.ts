import { describe, expect, it } from 'vitest';
import { hasReplayableDelivery } from './has-replayable-delivery.ts';

const test = { event: 'test', replayable: true } as const;
const ofDisabledEndpoint = { event: 'failed', replayable: false } as const;

describe('hasReplayableDelivery', () => {
  it('is false for tests and for deliveries of disabled endpoints', () => {
    expect(hasReplayableDelivery([{ deliveries: [test, ofDisabledEndpoint] }])).toBe(false);
    expect(hasReplayableDelivery([])).toBe(false);
  });

  it('is true if one of any page can be replayed', () => {
    const deliveries = [test, { event: 'failed', replayable: true } as const];
    expect(hasReplayableDelivery([{ deliveries: [test] }, { deliveries }])).toBe(true);
  });
});
