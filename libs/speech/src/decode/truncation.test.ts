import { describe, expect, it } from 'vitest';
import { encodeWav } from '../wav/wav.js';
import { isClearlyLonger } from './truncation.js';
import { wavSeconds } from './wav-length.js';

describe('isClearlyLonger', () => {
  it.each([
    [2.99, 1.47, true],
    [2.99, 2, false],
    [2.99, 1.98, true],
    [10, 10.1, false],
    [3600, 3529, false],
    [3600, 3527, true],
  ])('%d s declared, %d s decoded: %s', (declared, decoded, clearly) => {
    expect(isClearlyLonger(declared, decoded)).toBe(clearly);
  });
});

describe('wavSeconds', () => {
  const wav = encodeWav(new Int16Array(48_000));
  const changed = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.from(wav);
    change(bytes);
    return bytes;
  };

  it('is what the header declares, however much follows it, and wherever the data begin', () => {
    for (const length of [44, 45, 1_000, wav.length]) expect(wavSeconds(wav.subarray(0, length))).toBe(3);
    const odd = Buffer.from('LIST\u0003\0\0\0abc\0', 'latin1');
    expect(wavSeconds(Buffer.concat([wav.subarray(0, 36), odd, wav.subarray(36)]))).toBe(3);
  });

  it.each([
    ['is no WAV file', Buffer.from('ID3 and more'.repeat(9))],
    ['is empty', Buffer.alloc(0)],
    ['ends before its data', wav.subarray(0, 40)],
    ['was written to a pipe', changed((bytes) => bytes.writeUInt32LE(0xffffffff, 40))],
    ['was written to a pipe by others', changed((bytes) => bytes.writeUInt32LE(0x7ffff000, 40))],
    ['holds packets of some codec', changed((bytes) => bytes.writeUInt16LE(0x55, 20))],
    ['has no rate', changed((bytes) => bytes.writeUInt32LE(0, 24))],
  ])('is not known of what %s', (_, bytes) => {
    expect(wavSeconds(bytes)).toBeNull();
  });

  it('of a header without an end reads no more than it has', () => {
    const endless = changed((bytes) => bytes.write('LIST', 36) && bytes.writeUInt32LE(0xffffffff, 40));
    expect(wavSeconds(endless)).toBeNull();
  });
});
