import { expect } from 'vitest';

/** The fields of the transcript document that the tests read. Times in seconds. */
export interface Transcript {
  job_id: string;
  duration: number;
  text: string;
  speakers: { id: string; name: string | null; duration: number }[];
  segments: Segment[];
  turns: SegmentRange[];
  paragraphs: SegmentRange[];
  warnings: { code: string; message: string; segment_id: number | null }[];
  usage: { seconds: number; credits: number | null };
}

export interface Segment {
  id: number;
  start: number;
  end: number;
  text: string;
  speaker: string | null;
  words: Word[] | null;
}

export interface SegmentRange {
  start: number;
  end: number;
  text: string;
  speaker: string | null;
  first_segment: number;
  last_segment: number;
}

export interface Word {
  word: string;
  start: number;
  end: number;
  speaker: string | null;
}

const DOCUMENT_FIELDS =
  'confidence created_at duration engine job_id language languages model options paragraphs schema_version segments speakers text turns usage warnings';
const SEGMENT_FIELDS = 'channel confidence end id language speaker start text words';
const WORD_FIELDS = 'channel confidence end estimated language redacted speaker start word';

/** Checks the structure of a `json` output: every field exists, times are ordered and within the file. */
export function expectTranscriptDocument(text: string, jobId: string): Transcript {
  const document = JSON.parse(text) as Transcript & Record<string, unknown>;
  expect(listFields(document)).toBe(DOCUMENT_FIELDS);
  expect(document).toMatchObject({
    job_id: jobId,
    schema_version: '1.1',
    model: 'zephyr',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    engine: { name: expect.any(String) },
    options: expect.any(Object),
    usage: { seconds: expect.any(Number), credits: Math.ceil(document.duration) },
  });
  expect(listFields(document['engine'] as object)).toBe('model name version');
  expect(document.duration).toBeGreaterThan(0);
  expect(document.usage.seconds).toBeCloseTo(document.duration, 2);
  expectShare(document['confidence']);
  expectSpeakers(document);
  document.segments.forEach((segment, index) => expect(segment.id).toBe(index));
  expectInOrder(document.segments, document.duration);
  for (const segment of document.segments) expectSegment(segment);
  expectRanges(document.turns, document.segments);
  expectRanges(document.paragraphs, document.segments);
  expect(document.text.replace(/\s+/g, ' ')).toBe(document.segments.map((each) => each.text).join(' '));
  return document;
}

/** Ranges hold each segment once, in order, or are empty (turns without speakers). */
function expectRanges(ranges: SegmentRange[], segments: Segment[]): void {
  if (ranges.length === 0) return;
  const covered = ranges.flatMap((range) => {
    const members = segments.slice(range.first_segment, range.last_segment + 1);
    expect(range).toMatchObject({ start: members[0]?.start, end: members.at(-1)?.end });
    expect(range.text.replace(/\s+/g, ' ')).toBe(members.map(({ text }) => text).join(' '));
    expect(new Set(members.map(({ speaker }) => speaker))).toEqual(new Set([range.speaker]));
    return members;
  });
  expect(covered).toEqual(segments);
}

function expectSegment(segment: Segment): void {
  expect(listFields(segment)).toBe(SEGMENT_FIELDS);
  expectRounded(segment);
  if (segment.words === null) return;
  expect(segment.words.length).toBeGreaterThan(0);
  expectInOrder(segment.words, segment.end);
  expect(segment.words[0]?.start).toBeGreaterThanOrEqual(segment.start);
  for (const word of segment.words) {
    expect(listFields(word)).toBe(WORD_FIELDS);
    expect(word.word).toMatch(/\S/);
    expect(word.speaker).toBe(segment.speaker);
    expectRounded(word);
    expectShare((word as unknown as Record<string, unknown>)['confidence']);
  }
}

/** Speakers are numbered without gaps in order of first appearance, and every speaker with a segment is listed. */
function expectSpeakers({ speakers, segments, duration }: Transcript): void {
  const labelsOfSegments = [
    ...new Set(segments.map(({ speaker }) => speaker).filter((each) => each !== null)),
  ];
  expect(speakers.map(({ id }) => id)).toEqual(labelsOfSegments);
  labelsOfSegments.forEach((id, index) => expect(id).toBe(`SPEAKER_${index + 1}`));
  for (const speaker of speakers) {
    expect(listFields(speaker)).toBe('channel duration id name');
    expect(speaker.duration).toBeGreaterThan(0);
    expect(speaker.duration).toBeLessThanOrEqual(duration);
  }
}

function expectInOrder(spans: { start: number; end: number }[], limit: number): void {
  let before = 0;
  for (const { start, end } of spans) {
    expect(start).toBeGreaterThanOrEqual(before);
    expect(end).toBeGreaterThanOrEqual(start);
    expect(end).toBeLessThanOrEqual(limit);
    before = end;
  }
}

function expectRounded({ start, end }: { start: number; end: number }): void {
  for (const time of [start, end]) expect(Number(time.toFixed(3))).toBe(time);
}

function expectShare(value: unknown): void {
  if (value === null) return;
  expect(value).toBeGreaterThanOrEqual(0);
  expect(value).toBeLessThanOrEqual(1);
}

function listFields(value: object): string {
  return Object.keys(value).toSorted().join(' ');
}
