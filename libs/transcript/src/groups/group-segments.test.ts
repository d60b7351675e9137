import { describe, expect, it } from 'vitest';
import { assembleTranscript } from '../assemble/assemble-transcript.js';
import { buildAssemblyInput, buildChunk, buildDocument, wordsFromLine } from '../testing/samples.js';
import { groupIntoParagraphs, groupIntoTurns } from './group-segments.js';

const { segments } = buildDocument([
  { start: 0, end: 1, text: 'One.', speaker: 'SPEAKER_1' },
  { start: 1, end: 2, text: 'Two.', speaker: 'SPEAKER_1' },
  { start: 9, end: 10, text: 'Three.', speaker: 'SPEAKER_1' },
  { start: 10, end: 11, text: 'Four.', speaker: 'SPEAKER_2' },
  { start: 11, end: 12, text: 'Five.', speaker: null },
]);
const idsOf = (groups: ReturnType<typeof groupIntoTurns>) => groups.map((group) => group.map(({ id }) => id));

describe('groupIntoTurns', () => {
  it('ends a turn where the speaker changes, also to an unknown one', () => {
    expect(idsOf(groupIntoTurns(segments))).toEqual([[0, 1, 2], [3], [4]]);
    expect(groupIntoTurns([])).toEqual([]);
  });
});

describe('groupIntoParagraphs', () => {
  it('also ends a paragraph at a long pause', () => {
    expect(idsOf(groupIntoParagraphs(segments))).toEqual([[0, 1], [2], [3], [4]]);
  });
});

describe('turns and paragraphs of a transcript', () => {
  const chunks = [buildChunk(wordsFromLine('Good morning. (3) How are you?'))];

  it('hold the text and the first and last segment', () => {
    const turns = [{ speaker: 0, start: 0, end: 600 }];
    const input = buildAssemblyInput(chunks, { turns, punctuated: true, options: { speaker_labels: true } });
    const document = assembleTranscript(input);
    const range = { speaker: 'SPEAKER_1', first_segment: 0, start: 0 };
    expect(document.turns).toEqual([
      { ...range, last_segment: 1, end: document.segments[1]?.end, text: 'Good morning. How are you?' },
    ]);
    expect(document.paragraphs).toMatchObject([
      { ...range, last_segment: 0, text: 'Good morning.', language: 'en' },
      { first_segment: 1, last_segment: 1, text: 'How are you?' },
    ]);
  });

  it('are no turns without speaker labels', () => {
    const { turns, paragraphs } = assembleTranscript(buildAssemblyInput(chunks));
    expect(turns).toEqual([]);
    expect(paragraphs.length).toBeGreaterThan(0);
  });
});
