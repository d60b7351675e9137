import { describe, expect, it } from 'vitest';
import { inLoadingOrder } from './loading-order.js';

describe('the order in which lines are loaded', () => {
  it('has the words with the commonest first two sounds first, and leaves all else as it was', () => {
    const lines = ['ant AE N T', 'bat B AE T', 'oh OW', 'bad B AE D', 'and AE N D', 'ban B AE N'];
    expect(inLoadingOrder(lines)).toEqual([
      ...['bat B AE T', 'bad B AE D', 'ban B AE N'],
      ...['ant AE N T', 'and AE N D'],
      'oh OW',
    ]);
  });

  it('has variants behind all words, wherever they were', () => {
    const lines = ['a(2) EY', 'a AH', 'bat B AE T', 'bat(2) P AE T', 'bad B AE D'];
    expect(inLoadingOrder(lines)).toEqual(['bat B AE T', 'bad B AE D', 'a AH', 'a(2) EY', 'bat(2) P AE T']);
  });

  it('loses nothing, not even what is no entry', () => {
    const lines = ['', ';; notes', 'x', 'x(2) Y'];
    expect(inLoadingOrder(lines).toSorted()).toEqual(lines);
    expect(inLoadingOrder([])).toEqual([]);
  });
});
