import type { ChunkInput } from '@app/jobs';
import { describe, expect, it } from 'vitest';
import { DiarizationBlockAssigner } from './diarization-block-assigner.js';

const BLOCK_SECONDS = 300;

describe('DiarizationBlockAssigner', () => {
  it('the last chunk of a block lists the audio of all its chunks, and the others only the start of the block', () => {
    const chunks = assign(Array.from({ length: 25 }, (_, index) => chunk(index * 30, index * 30 + 29)));
    const closing = chunks.flatMap(({ speakerBlock }, index) => (speakerBlock?.chunks ? [index] : []));
    expect(closing).toEqual([10, 21, 24]);
    expect(chunks.map(({ speakerBlock }) => speakerBlock?.start)).toEqual([
      ...Array<number>(11).fill(0),
      ...Array<number>(11).fill(330),
      ...Array<number>(3).fill(660),
    ]);
    expect(chunks[24]?.speakerBlock?.chunks).toEqual([
      { key: '660', parts: [{ audioStart: 0, start: 0, end: 29 }] },
      { key: '690', parts: [{ audioStart: 29, start: 30, end: 59 }] },
      { key: '720', parts: [{ audioStart: 58, start: 60, end: 89 }] },
    ]);
  });

  it('parts that a chunk leaves out are left out of its block', () => {
    const packed = { seconds: 4, parts: [part(0, 0, 3), part(3, 10, 11)] };
    const [, last] = assign([chunk(5, 9), { ...chunk(20, 31), packed }]);
    expect(last?.speakerBlock).toEqual({
      start: 5,
      chunks: [
        { key: '5', parts: [part(0, 0, 4)] },
        { key: '20', parts: [part(4, 15, 18), part(7, 25, 26)] },
      ],
    });
  });

  it('channels that are transcribed apart have blocks of their own', () => {
    const inTurn = [0, 30, 60, 90].map((start, index) => ({
      ...chunk(start, start + 30),
      channel: (index % 2) + 1,
    }));
    const keys = assign(inTurn).map(({ speakerBlock }) => speakerBlock?.chunks?.map(({ key }) => key));
    expect(keys).toEqual([undefined, undefined, ['0', '60'], ['30', '90']]);
  });

  it('a chunk is final when another one of its channel follows, or it has ended its block', () => {
    const blocks = new DiarizationBlockAssigner(60);
    const [first, second, other, third] = [
      { ...chunk(0, 30), channel: 1 },
      { ...chunk(10, 40), channel: 2 },
      { ...chunk(30, 50), channel: 1 },
      { ...chunk(50, 90), channel: 1 },
    ];
    const added: ChunkInput[] = [];
    const listFinal = (next: ChunkInput) => {
      blocks.add(next);
      added.push(next);
      return added.filter((each) => blocks.isFinal(each));
    };
    expect(listFinal(first)).toEqual([]);
    expect(listFinal(second)).toEqual([]);
    expect(listFinal(other)).toEqual([first]);
    expect(listFinal(third)).toEqual([first, other, third]);
  });
});

function assign(chunks: ChunkInput[]): ChunkInput[] {
  const blocks = new DiarizationBlockAssigner(BLOCK_SECONDS);
  for (const each of chunks) blocks.add(each);
  blocks.closeAll();
  return chunks;
}

function chunk(start: number, end: number): ChunkInput {
  return { key: String(start), start, end };
}

function part(audioStart: number, start: number, end: number) {
  return { audioStart, start, end };
}
