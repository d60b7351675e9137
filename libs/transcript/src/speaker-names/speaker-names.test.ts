import { describe, expect, it } from 'vitest';
import type { TranscriptDocument } from '../transcript-document.js';
import { buildDocument, addNamedSpeakers } from '../testing/samples.js';
import { buildSegmentsWithSpeakerNames, replaceSpeakerNames } from './speaker-names.js';

const document = addNamedSpeakers(
  buildDocument([
    { speaker: 'SPEAKER_1' },
    { speaker: 'SPEAKER_2' },
    { speaker: null },
    { speaker: 'SPEAKER_1' },
  ]),
);
const shown = (given: TranscriptDocument) =>
  buildSegmentsWithSpeakerNames(given).map(({ speaker }) => speaker);

describe('nameListedSpeakers', () => {
  it('adds names and keeps the labels', () => {
    const { speakers, segments } = replaceSpeakerNames(document, { SPEAKER_2: 'Ada' });
    expect(speakers).toEqual([
      { id: 'SPEAKER_1', name: null, duration: 1, channel: null },
      { id: 'SPEAKER_2', name: 'Ada', duration: 1, channel: null },
    ]);
    expect(segments).toEqual(document.segments);
  });

  it('removes previous names and ignores unknown labels', () => {
    const once = replaceSpeakerNames(document, { SPEAKER_1: 'Ada', SPEAKER_9: 'Nobody' });
    expect(replaceSpeakerNames(once, {})).toEqual(document);
  });

  it('adds the field to a document that was stored without it', () => {
    const old = {
      ...document,
      speakers: [{ id: 'constructor', duration: 1, channel: null }],
    } as TranscriptDocument;
    expect(replaceSpeakerNames(old, {}).speakers).toEqual([
      { id: 'constructor', name: null, duration: 1, channel: null },
    ]);
  });
});

describe('nameSegmentSpeakers', () => {
  it('replaces labels by names where they are set', () => {
    expect(shown(replaceSpeakerNames(document, { SPEAKER_1: 'Ada' }))).toEqual([
      'Ada',
      'SPEAKER_2',
      null,
      'Ada',
    ]);
  });

  it('returns the segments unchanged without names, also for a document without the field', () => {
    expect(buildSegmentsWithSpeakerNames(document)).toBe(document.segments);
    const old = {
      ...document,
      speakers: [{ id: 'SPEAKER_1', duration: 1, channel: null }],
    } as TranscriptDocument;
    expect(shown(old)).toEqual(['SPEAKER_1', 'SPEAKER_2', null, 'SPEAKER_1']);
  });
});
