import { describe, expect, it } from 'vitest';
import { buildChunk, wordsFromLine } from '../testing/samples.js';
import { dropHallucinatedWords } from './hallucinated-words.js';
import { mergeChunksIntoTimeline } from './timeline.js';

function drop(line: string, speech: { start: number; end: number }[]) {
  return dropHallucinatedWords(mergeChunksIntoTimeline([buildChunk(wordsFromLine(line), { speech })], 600));
}

describe('dropHallucinatedWords', () => {
  it('drops words far from speech, and quotes them as they are written', () => {
    const spoken = { start: 0, end: 0.5 };
    for (const [line, quoted] of [
      ['well (5) thanks for watching', 'thanks for watching'],
      ['では (5) ご視聴 ありがとう', 'ご視聴ありがとう'],
    ] as const) {
      const { words, hallucinations } = drop(line, [spoken]);
      expect(words).toHaveLength(1);
      expect(hallucinations.map(({ text }) => text)).toEqual([quoted]);
    }
  });
});
