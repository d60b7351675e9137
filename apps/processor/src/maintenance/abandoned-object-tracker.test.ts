import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AbandonedObjectTracker } from './abandoned-object-tracker.js';

let now = 0;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => void vi.restoreAllMocks());

/** The results of one observation per scan, at these times and with these versions. */
function runScans(
  tracker: AbandonedObjectTracker,
  ...observations: [atMs: number, version?: string][]
): boolean[] {
  return observations.map(([atMs, version]) => {
    now = atMs;
    const abandoned = tracker.observe('a', version);
    tracker.completeScan();
    return abandoned;
  });
}

describe('AbandonedObjectTracker', () => {
  it('an object is abandoned after the minimum number of observations', () => {
    const tracker = new AbandonedObjectTracker({ minObservations: 3, minAgeMs: 0 });
    expect(runScans(tracker, [1], [2], [3])).toEqual([false, false, true]);
  });

  it('an object is not abandoned before its minimum age, however often it is observed', () => {
    const tracker = new AbandonedObjectTracker({ minObservations: 2, minAgeMs: 600_000 });
    const every = Array.from({ length: 600 }, (_, second): [number] => [second * 1_000]);
    expect(runScans(tracker, ...every).some(Boolean)).toBe(false);
    expect(runScans(tracker, [600_000])).toEqual([true]);
  });

  it('an object starts over when its version changes', () => {
    const tracker = new AbandonedObjectTracker({ minObservations: 2, minAgeMs: 100 });
    expect(runScans(tracker, [0, 'x'], [90, 'y'], [150, 'y'], [190, 'y'])).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('an abandoned object stays abandoned while scans observe it', () => {
    const tracker = new AbandonedObjectTracker({ minObservations: 2, minAgeMs: 0 });
    expect(runScans(tracker, [0], [1], [2])).toEqual([false, true, true]);
  });

  it('an object is forgotten when a scan does not observe it', () => {
    const tracker = new AbandonedObjectTracker({ minObservations: 2, minAgeMs: 0 });
    runScans(tracker, [0]);
    tracker.completeScan();
    expect(runScans(tracker, [1], [2])).toEqual([false, true]);
  });
});
