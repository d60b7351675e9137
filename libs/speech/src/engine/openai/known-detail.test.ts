import { describe, expect, it } from 'vitest';
import type { Detail } from './form.js';
import { KnownDetail } from './known-detail.js';

function known() {
  const told: Detail[] = [];
  const detail = new KnownDetail((less) => told.push(less));
  const take = (...taken: Detail[]) =>
    taken.map((one) => {
      const [first] = detail.toAsk();
      detail.took(one);
      return first;
    });
  return { take, told };
}

describe('what a server is asked for', () => {
  it('is less only after several chunks in a row were taken so, which is told', () => {
    const { take, told } = known();
    take('segment', 'segment', 'word', 'segment', 'segment');
    expect(told).toEqual([]);
    expect(take('segment', 'segment')).toEqual(['word', 'segment']);
    expect(told).toEqual(['segment']);
  });

  it('is all again now and then, and stays so where it is taken', () => {
    const { take, told } = known();
    const asked = take(...Array.from({ length: 49 }, (): Detail => 'segment'));
    expect(asked.filter((first) => first === 'word')).toHaveLength(3);
    expect(take('segment', 'segment')).toEqual(['word', 'segment']);
    const later = take(...Array.from({ length: 48 }, (): Detail => 'segment'));
    expect(new Set(later)).toEqual(new Set(['segment']));
    expect(take('word', 'word')).toEqual(['word', 'word']);
    expect(told).toEqual(['segment']);
  });
});
