import { describe, expect, it } from 'vitest';
import { PcmStreamDecoder } from './pcm.js';
import { decodeWav, encodeWav, InvalidWavError } from './wav.js';

describe('wav', () => {
  it('decoding returns the encoded samples', () => {
    const samples = Int16Array.from([0, 1, -1, 32767, -32768]);
    expect(decodeWav(encodeWav(samples))).toEqual(samples);
  });

  it('decoding skips other RIFF chunks and reads a truncated file', () => {
    const wav = encodeWav(Int16Array.from([5, 6, 7]));
    const list = Buffer.from('LIST\u0003\0\0\0abc\0', 'latin1');
    const longer = Buffer.concat([wav.subarray(0, 36), list, wav.subarray(36, -2)]);
    expect([...decodeWav(longer)]).toEqual([5, 6]);
  });

  it('decoding rejects other sample rates, other file types and files without audio', () => {
    const wav = encodeWav(Int16Array.from([1]));
    const slow = Buffer.from(wav);
    slow.writeUInt32LE(8000, 24);
    for (const bad of [slow, Buffer.from('hello there, no sound'), wav.subarray(0, 36), Buffer.alloc(0)]) {
      expect(() => decodeWav(bad)).toThrow(InvalidWavError);
    }
  });
});

describe('PcmStreamDecoder', () => {
  it('a sample that is split between blocks is joined', () => {
    const bytes = Buffer.from(Int16Array.from([1, -2, 300, -400]).buffer);
    const joiner = new PcmStreamDecoder();
    const cut = [bytes.subarray(0, 3), bytes.subarray(3, 4), bytes.subarray(4, 7), bytes.subarray(7)];
    expect(cut.flatMap((piece) => [...joiner.push(piece)])).toEqual([1, -2, 300, -400]);
  });

  it('samples of several channels stay together', () => {
    const bytes = Buffer.from(Int16Array.from([1, -2, 300, -400]).buffer);
    const joiner = new PcmStreamDecoder(2);
    const cut = [bytes.subarray(0, 3), bytes.subarray(3, 6), bytes.subarray(6)];
    expect(cut.map((piece) => [...joiner.push(piece)])).toEqual([[], [1, -2], [300, -400]]);
  });
});
