import { describe, expect, it } from 'vitest';
import { MatroskaPcmParser } from './matroska-pcm-parser.js';

const UNKNOWN_SIZE = Buffer.from('01ffffffffffffff', 'hex');

function element(id: number, content: Buffer | number[], size = content.length): Buffer {
  const bytes = id.toString(16);
  return Buffer.concat([
    Buffer.from(bytes, 'hex'),
    Buffer.from([0x40 | (size >> 8), size & 0xff]),
    Buffer.from(content),
  ]);
}

function block(id: number, ms: number, samples: number[]): Buffer {
  return element(id, [0x81, (ms >> 8) & 0xff, ms & 0xff, 0x80, ...samples]);
}

const STREAM = Buffer.concat([
  element(0x1a45dfa3, [0x42, 0x86, 0x81, 1]),
  Buffer.from('18538067', 'hex'),
  UNKNOWN_SIZE,
  element(0xec, new Array<number>(300).fill(0xa3)),
  Buffer.from('ec0100000000000003a3a3a3', 'hex'),
  element(
    0x1654ae6b,
    element(0xae, Buffer.concat([element(0x86, [1, 2]), element(0xe1, element(0x9f, [2]))])),
  ),
  element(
    0x1f43b675,
    Buffer.concat([element(0xe7, [1, 0]), block(0xa3, 0, [1, 2, 3, 4]), block(0xa3, 7, [])]),
  ),
  element(
    0x1f43b675,
    Buffer.concat([element(0xe7, [2, 0, 0]), element(0xa0, block(0xa1, -3, [5, 6, 7, 8]))]),
  ),
]);

function parse(stream: Buffer, piece: number) {
  const parser = new MatroskaPcmParser();
  const pieces = Array.from({ length: Math.ceil(stream.length / piece) }, (_, index) =>
    parser.push(stream.subarray(index * piece, (index + 1) * piece)),
  ).flat();
  return { channels: parser.channels, pieces };
}

describe('MatroskaPcmParser', () => {
  it('yields the blocks with their times', () => {
    expect(parse(STREAM, STREAM.length)).toEqual({
      channels: 2,
      pieces: [
        { startMs: 256, bytes: Buffer.from([1, 2, 3, 4]) },
        { startMs: 131_069, bytes: Buffer.from([5, 6, 7, 8]) },
      ],
    });
  });

  it.each([1, 2, 3, 7, 50])('yields the same of a stream in pieces of %d bytes', (piece) => {
    const { channels, pieces } = parse(STREAM, piece);
    expect(channels).toBe(2);
    expect(Buffer.concat(pieces.map(({ bytes }) => bytes))).toEqual(Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]));
    expect(pieces.flatMap(({ startMs }) => startMs ?? [])).toEqual([256, 131_069]);
  });

  it('yields what there is of a block that is cut off', () => {
    expect(parse(STREAM.subarray(0, -3), 100).pieces.at(-1)).toEqual({
      startMs: 131_069,
      bytes: Buffer.from([5]),
    });
  });

  it.each([
    ['a zero byte', Buffer.from([0])],
    ['an ID of five bytes', Buffer.from('080000000081', 'hex')],
    ['a block without a size', Buffer.concat([Buffer.from([0xa3]), UNKNOWN_SIZE])],
    ['a number of seven bytes', element(0xe7, new Array<number>(7).fill(1))],
  ])('rejects %s', (_, stream) => {
    expect(() => parse(stream, stream.length)).toThrow('Matroska');
  });
});
