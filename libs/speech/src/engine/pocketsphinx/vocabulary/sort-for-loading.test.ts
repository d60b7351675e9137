import { describe, expect, it } from 'vitest';
import { sortForLoading } from './sort-for-loading.js';

describe('sortForLoading', () => {
  it('words with the commonest first two phones come first, otherwise the order is stable', () => {
    const lines = ['ant AE N T', 'bat B AE T', 'oh OW', 'bad B AE D', 'and AE N D', 'ban B AE N'];
    expect(sortForLoading(lines)).toEqual([
      ...['bat B AE T', 'bad B AE D', 'ban B AE N'],
      ...['ant AE N T', 'and AE N D'],
      'oh OW',
    ]);
  });

  it('variants come after all words', () => {
    const lines = ['a(2) EY', 'a AH', 'bat B AE T', 'bat(2) P AE T', 'bad B AE D'];
    expect(sortForLoading(lines)).toEqual(['bat B AE T', 'bad B AE D', 'a AH', 'a(2) EY', 'bat(2) P AE T']);
  });

  it('no line is lost, not even an invalid one', () => {
    const lines = ['', ';; notes', 'x', 'x(2) Y'];
    expect(sortForLoading(lines).toSorted()).toEqual(lines);
    expect(sortForLoading([])).toEqual([]);
  });
});
