import { describe, expect, it } from 'vitest';
import { GranularityNegotiator, type TimestampGranularity } from './transcription-request.js';

function known() {
  const told: TimestampGranularity[] = [];
  const detail = new GranularityNegotiator((less) => told.push(less));
  const take = (...taken: TimestampGranularity[]) =>
    taken.map((one) => {
      const [first] = detail.granularitiesToTry();
      detail.recordAccepted(one);
      return first;
    });
  return { take, told };
}

describe('GranularityNegotiator', () => {
  it('the granularity is reduced and reported only after several consecutive chunks', () => {
    const { take, told } = known();
    take('segment', 'segment', 'word', 'segment', 'segment');
    expect(told).toEqual([]);
    expect(take('segment', 'segment')).toEqual(['word', 'segment']);
    expect(told).toEqual(['segment']);
  });

  it('the finest granularity is probed periodically and restored when accepted', () => {
    const { take, told } = known();
    const asked = take(...Array.from({ length: 49 }, (): TimestampGranularity => 'segment'));
    expect(asked.filter((first) => first === 'word')).toHaveLength(3);
    expect(take('segment', 'segment')).toEqual(['word', 'segment']);
    const later = take(...Array.from({ length: 48 }, (): TimestampGranularity => 'segment'));
    expect(new Set(later)).toEqual(new Set(['segment']));
    expect(take('word', 'word')).toEqual(['word', 'word']);
    expect(told).toEqual(['segment']);
  });
});
