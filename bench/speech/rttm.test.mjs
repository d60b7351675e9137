import { describe, expect, it } from 'vitest';
import { parseRttm } from './rttm.mjs';

describe('parseRttm', () => {
  it('parses turns of speaker lines and ignores others', () => {
    const text = [
      ';; a comment',
      'SPKR-INFO talk 1 <NA> <NA> <NA> unknown anna <NA> <NA>',
      'SPEAKER talk 1 0.50 2.25 <NA> <NA> anna <NA> <NA>',
      '  SPEAKER talk 1 3 1 <NA> <NA> ben\r',
      '',
    ].join('\n');
    expect(parseRttm(text)).toEqual([
      { speaker: 'anna', start: 0.5, end: 2.75 },
      { speaker: 'ben', start: 3, end: 4 },
    ]);
  });

  it.each(['SPEAKER talk 1 soon 1 <NA> <NA> ben', 'SPEAKER talk 1 0 1 <NA> <NA>', 'SPEAKER'])(
    'rejects an incomplete line with its number: %s',
    (line) => {
      expect(() => parseRttm(`SPEAKER talk 1 0 1 <NA> <NA> ben\n${line}`)).toThrow('Line 2 lacks');
    },
  );
});
