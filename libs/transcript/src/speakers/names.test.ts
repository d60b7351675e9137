import { describe, expect, it } from 'vitest';
import type { TranscriptDocument } from '../document.js';
import { documentOf, named } from '../testing/samples.js';
import { shownSegments, withNames } from './names.js';

const document = named(
  documentOf([
    { speaker: 'SPEAKER_1' },
    { speaker: 'SPEAKER_2' },
    { speaker: null },
    { speaker: 'SPEAKER_1' },
  ]),
);
const shown = (given: TranscriptDocument) => shownSegments(given).map(({ speaker }) => speaker);

describe('withNames', () => {
  it('puts names beside the labels, which stay what they are', () => {
    const { speakers, segments } = withNames(document, { SPEAKER_2: 'Ada' });
    expect(speakers).toEqual([
      { id: 'SPEAKER_1', name: null, duration: 1 },
      { id: 'SPEAKER_2', name: 'Ada', duration: 1 },
    ]);
    expect(segments).toEqual(document.segments);
  });

  it('forgets the names of before, and passes over labels that are not there', () => {
    const once = withNames(document, { SPEAKER_1: 'Ada', SPEAKER_9: 'Nobody' });
    expect(withNames(once, {})).toEqual(document);
  });

  it('gives the field to a document that was stored without it', () => {
    const old = { ...document, speakers: [{ id: 'constructor', duration: 1 }] } as TranscriptDocument;
    expect(withNames(old, {}).speakers).toEqual([{ id: 'constructor', name: null, duration: 1 }]);
  });
});

describe('shownSegments', () => {
  it('are under the names where there are some', () => {
    expect(shown(withNames(document, { SPEAKER_1: 'Ada' }))).toEqual(['Ada', 'SPEAKER_2', null, 'Ada']);
  });

  it('are the segments where there are none, in a document without the field as well', () => {
    expect(shownSegments(document)).toBe(document.segments);
    const old = { ...document, speakers: [{ id: 'SPEAKER_1', duration: 1 }] } as TranscriptDocument;
    expect(shown(old)).toEqual(['SPEAKER_1', 'SPEAKER_2', null, 'SPEAKER_1']);
  });
});
