import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSpeakerLabelPerWord } from './assign-speakers.js';

const turn = (speaker: number | string, start: number, end: number) => ({ speaker, start, end });
const word = (start: number, end: number) => ({ start, end });

describe('findSpeakerLabelPerWord', () => {
  it('assigns the speaker with the longest overlap', () => {
    const turns = [turn(2, 1.6, 3), turn(1, 0, 2)];
    expect(
      findSpeakerLabelPerWord([word(0.5, 1), word(1.5, 2), word(1.6, 2.6), word(2.5, 2.9)], turns),
    ).toEqual(['1', '1', '2', '2']);
  });

  it('adds up several turns of one speaker', () => {
    expect(
      findSpeakerLabelPerWord([word(0, 10)], [turn('a', 0, 4), turn('b', 4, 7), turn('b', 7, 9)]),
    ).toEqual(['b']);
  });

  it('assigns a word between turns to the nearest speaker, and to none when all are far away', () => {
    const turns = [turn(1, 0, 1), turn(2, 3, 4)];
    expect(findSpeakerLabelPerWord([word(1.2, 1.4), word(2.5, 2.8), word(9, 10)], turns)).toEqual([
      '1',
      '2',
      null,
    ]);
  });

  it('assigns speakers to words without duration', () => {
    expect(findSpeakerLabelPerWord([word(0.5, 0.5)], [turn(1, 0, 1)])).toEqual(['1']);
  });

  it('agrees with a comparison of every word with every turn', () => {
    const times = fc.nat({ max: 60 });
    const turns = fc.array(fc.record({ speaker: fc.nat({ max: 3 }), start: times, end: times }), {
      maxLength: 15,
    });
    const cuts = fc.array(times, { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(turns, cuts, (spoken, at) => {
        const edges = [...at].sort((a, b) => a - b);
        const words = edges.slice(1).map((end, index) => word(edges[index] ?? 0, end));
        const longest = (w: { start: number; end: number }, label: string) =>
          spoken
            .filter((t) => String(t.speaker) === label && t.end > t.start)
            .reduce((sum, t) => sum + Math.max(0, Math.min(w.end, t.end) - Math.max(w.start, t.start)), 0);
        findSpeakerLabelPerWord(words, spoken).forEach((label, index) => {
          const w = words[index] ?? word(0, 0);
          const most = Math.max(...['0', '1', '2', '3'].map((one) => longest(w, one)));
          if (most > 0) expect(label === null ? -1 : longest(w, label)).toBe(most);
        });
      }),
    );
  });
});
