import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChunkPacker, type AudioPieceWithSpeechSpans, type PackedChunk } from './chunk-packer.js';
import { PackedAudioTimeMap } from './packed-audio-time-map.js';

const RATE = 16_000;

/** Pieces with these pauses before them and lengths, in tenths of a second; every sample is the tenth of the file. */
function makePieces(parts: readonly (readonly [number, number])[]): AudioPieceWithSpeechSpans[] {
  let at = 0;
  return parts.map(([pause, length]) => {
    const start = at + pause;
    at = start + length;
    const samples = Int16Array.from({ length: (length * RATE) / 10 }, (_, index) =>
      Math.floor(start + (index * 10) / RATE),
    );
    return { start: start / 10, end: at / 10, samples, speech: [{ start: 0.1, end: length / 10 - 0.1 }] };
  });
}

function pack(pieces: readonly AudioPieceWithSpeechSpans[], maxSeconds: number): PackedChunk[] {
  const packer = new ChunkPacker(maxSeconds);
  return [...pieces.flatMap((piece) => packer.push(piece)), ...packer.flush()];
}

describe('ChunkPacker', () => {
  it('makes a chunk of every piece if it has no length', () => {
    const pieces = makePieces([
      [3, 20],
      [30, 40],
    ]);
    expect(pack(pieces, 0)).toEqual(pieces);
  });

  it('joins pieces up to the length, and keeps a longer one alone', () => {
    const pieces = makePieces([
      [0, 100],
      [30, 100],
      [30, 80],
      [30, 20],
      [30, 300],
      [30, 20],
    ]);
    const chunks = pack(pieces, 28);
    expect(chunks.map(({ samples }) => samples.length / RATE)).toEqual([28, 2, 30, 2]);
    expect(chunks[0]?.parts).toEqual([
      { audioStart: 0, start: 0, end: 10 },
      { audioStart: 10, start: 13, end: 23 },
      { audioStart: 20, start: 26, end: 34 },
    ]);
    expect(chunks[1]?.parts).toBeUndefined();
  });

  it('does not join what is minutes apart', () => {
    expect(
      pack(
        makePieces([
          [0, 20],
          [3000, 20],
        ]),
        28,
      ),
    ).toHaveLength(2);
  });

  it('no audio is lost or repeated, and every moment of the audio has its time in the file', () => {
    const lengths = fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 3, max: 120 })), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(lengths, (parts) => {
        const pieces = makePieces(parts);
        const chunks = pack(pieces, 28);
        const heard: number[] = [];
        for (const { start, end, samples, parts: inFile, speech } of chunks) {
          const audio = new PackedAudioTimeMap(inFile);
          const seconds = samples.length / RATE;
          for (let tenth = 0; tenth < Math.round(seconds * 10); tenth += 1) {
            const value = samples[Math.round(((tenth + 0.5) * RATE) / 10)];
            const word = { start: tenth / 10 + 0.02, end: tenth / 10 + 0.08 };
            const placed = audio.toFile(word);
            expect(start + placed.start).toBeCloseTo((value ?? 0) / 10 + 0.02, 6);
            expect(start + placed.end).toBeCloseTo((value ?? 0) / 10 + 0.08, 6);
            expect(audio.toAudio([placed])[0]?.start).toBeCloseTo(word.start, 6);
            expect(start + placed.end).toBeLessThanOrEqual(end);
            heard.push(value ?? 0);
          }
          const spoken = audio.toAudio(speech).reduce((sum, span) => sum + span.end - span.start, 0);
          expect(spoken).toBeCloseTo(
            speech.reduce((sum, span) => sum + span.end - span.start, 0),
            6,
          );
        }
        const all = pieces.flatMap(({ start, end }) =>
          Array.from(
            { length: Math.round((end - start) * 10) },
            (_, index) => Math.round(start * 10) + index,
          ),
        );
        expect(heard).toEqual(all);
      }),
      { numRuns: 40 },
    );
  });
});

describe('PackedAudioTimeMap', () => {
  const audio = new PackedAudioTimeMap([
    { audioStart: 0, start: 0, end: 2 },
    { audioStart: 2, start: 10, end: 13 },
  ]);

  it('a word over two parts is in the one that has its middle', () => {
    expect(audio.toFile({ start: 1.5, end: 2.2 })).toEqual({ start: 1.5, end: 2 });
    expect(audio.toFile({ start: 1.9, end: 2.5 })).toEqual({ start: 10, end: 10.5 });
    expect(audio.toFile({ start: 4.5, end: 9 })).toEqual({ start: 12.5, end: 13 });
  });

  it('a turn over two parts is divided', () => {
    expect(audio.splitToFile({ start: 1, end: 4 })).toEqual([
      { start: 1, end: 2 },
      { start: 10, end: 12 },
    ]);
  });
});
