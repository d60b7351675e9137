import { describe, expect, it } from 'vitest';
import { type Cluster, clusterOf } from './cluster.js';
import { apartness, joinParts, MARGIN } from './one-voice.js';
import { Cloud } from './testing/cloud.js';
import { DIMENSIONS } from './scatter.js';

const MIDDLE = new Array<number>(DIMENSIONS).fill(0);

describe('joinParts', () => {
  it.each([40, 400, 8_000])('makes one voice of %d windows of one voice, however they were cut', (count) => {
    const windows = new Cloud(count).around(MIDDLE, count);
    expect(joinParts(cutAlong(windows, 0, 8))).toHaveLength(1);
  });

  it.each([0.5, 0.1, 0.02])('does not take the share %d of a voice for another', (share) => {
    const windows = inOrder(new Cloud(5).around(MIDDLE, 4_000), 0);
    const cut = Math.round(share * windows.length);
    expect(apartness(joined(windows.slice(0, cut)), joined(windows.slice(cut)))).toBeLessThan(MARGIN / 1.5);
  });

  it.each([
    [200, 200],
    [2_000, 40],
    [12, 12],
  ])('keeps two voices of %d and %d windows apart', (many, few) => {
    const cloud = new Cloud(9);
    const other = MIDDLE.map((_, index) => (index < 4 ? 4 : 0));
    const parts = [
      ...cutAlong(cloud.around(MIDDLE, many), 1, 3),
      ...cutAlong(cloud.around(other, few), 1, 2),
    ];
    expect(
      joinParts(parts)
        .map(({ weight }) => weight)
        .sort((a, b) => b - a),
    ).toEqual([many, few]);
  });

  it('has nothing to join in nothing', () => {
    expect(joinParts([])).toEqual([]);
  });
});

/** The windows in slices by one of their directions: the cut that sets the parts furthest apart. */
function cutAlong(windows: Cluster[], direction: number, parts: number): Cluster[] {
  const sorted = inOrder(windows, direction);
  const size = Math.ceil(sorted.length / parts);
  return Array.from({ length: parts }, (_, index) => joined(sorted.slice(index * size, (index + 1) * size)));
}

function inOrder(windows: Cluster[], direction: number): Cluster[] {
  return windows.sort((a, b) => (a.mean[direction] ?? 0) - (b.mean[direction] ?? 0));
}

function joined(windows: Cluster[]): Cluster {
  return clusterOf(windows.map(({ mean, weight }) => ({ at: mean, weight })));
}
