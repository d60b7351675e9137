import { describe, expect, it } from 'vitest';
import { encodeWav } from '../wav/wav.js';
import { isDeclaredDurationClearlyLonger, parseDeclaredWavSeconds } from './truncation.js';

describe('isDeclaredDurationClearlyLonger', () => {
  it.each([
    [2.99, 1.47, true],
    [2.99, 2, false],
    [2.99, 1.98, true],
    [10, 10.1, false],
    [3600, 3529, false],
    [3600, 3527, true],
  ])('%d s declared and %d s decoded are clearly different: %s', (declared, decoded, clearly) => {
    expect(isDeclaredDurationClearlyLonger(declared, decoded)).toBe(clearly);
  });
});

describe('parseDeclaredWavSeconds', () => {
  const wav = encodeWav(new Int16Array(48_000));
  const changed = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.from(wav);
    change(bytes);
    return bytes;
  };

  it('returns the duration in the header, whatever the size and offset of the data', () => {
    for (const length of [44, 45, 1_000, wav.length])
      expect(parseDeclaredWavSeconds(wav.subarray(0, length))).toBe(3);
    const odd = Buffer.from('LIST\u0003\0\0\0abc\0', 'latin1');
    expect(parseDeclaredWavSeconds(Buffer.concat([wav.subarray(0, 36), odd, wav.subarray(36)]))).toBe(3);
  });

  it.each([
    ['is no WAV file', Buffer.from('ID3 and more'.repeat(9))],
    ['is empty', Buffer.alloc(0)],
    ['ends before its data', wav.subarray(0, 40)],
    ['was written to a pipe', changed((bytes) => bytes.writeUInt32LE(0xffffffff, 40))],
    ['was written to a pipe by others', changed((bytes) => bytes.writeUInt32LE(0x7ffff000, 40))],
    ['holds packets of some codec', changed((bytes) => bytes.writeUInt16LE(0x55, 20))],
    ['has no rate', changed((bytes) => bytes.writeUInt32LE(0, 24))],
  ])('returns null for a file that %s', (_, bytes) => {
    expect(parseDeclaredWavSeconds(bytes)).toBeNull();
  });

  it('reads a truncated header only to its end', () => {
    const endless = changed((bytes) => bytes.write('LIST', 36) && bytes.writeUInt32LE(0xffffffff, 40));
    expect(parseDeclaredWavSeconds(endless)).toBeNull();
  });
});
