import { describe, expect, it } from 'vitest';
import { generateCommandLineUserCode, hashCommandLineUserCode } from './command-line-user-code.js';

const hashingKey = Buffer.alloc(32, 1);

describe('the code that a command line shows', () => {
  it('has eight letters in two groups, without vowels', () => {
    for (let i = 0; i < 50; i++)
      expect(generateCommandLineUserCode()).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  });

  it('has the same hash however it is typed', () => {
    const hash = hashCommandLineUserCode('WDJB-MJHT', hashingKey);
    for (const typed of ['wdjb-mjht', 'WDJBMJHT', ' wdjb mjht '])
      expect(hashCommandLineUserCode(typed, hashingKey)).toEqual(hash);
    expect(hashCommandLineUserCode('WDJB-MJHS', hashingKey)).not.toEqual(hash);
  });

  it('has another hash with another key', () => {
    expect(hashCommandLineUserCode('WDJB-MJHT', Buffer.alloc(32, 2))).not.toEqual(
      hashCommandLineUserCode('WDJB-MJHT', hashingKey),
    );
  });
});
