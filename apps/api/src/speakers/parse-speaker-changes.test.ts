import { ServiceError } from '@app/errors';
import { describe, expect, it } from 'vitest';
import { assertKnownLabels, parseSpeakerChanges } from './parse-speaker-changes.js';

function fieldsRefused(judge: () => unknown): string[] {
  try {
    judge();
  } catch (error) {
    if (error instanceof ServiceError && error.status === 422)
      return (error.errors ?? []).map(({ field }) => field);
    throw error;
  }
  return [];
}
const read = (name: unknown) => parseSpeakerChanges({ SPEAKER_1: name })['SPEAKER_1'];

describe('parseSpeakerChanges', () => {
  it.each([
    'Ada',
    '<b>',
    '-->',
    'A&B "C" \\',
    'עדה לבלייס',
    '李'.repeat(80),
    '😀'.repeat(80),
    'x',
    'constructor',
    'SPEAKER_2',
  ])('returns %s unchanged', (name) => expect(read(name)).toBe(name));

  it.each([
    ['  Ada  Lovelace ', 'Ada Lovelace'],
    ['\u202eAda\u2066', 'Ada'],
    ['Ada\u2028Lovelace', 'Ada Lovelace'],
    [` ${'x'.repeat(80)} `, 'x'.repeat(80)],
  ])('normalizes %j', (given, kept) => expect(read(given)).toBe(kept));

  it('accepts null and an empty object', () => {
    expect(read(null)).toBeNull();
    expect(parseSpeakerChanges({})).toEqual({});
  });

  it.each([
    '',
    ' ',
    '\u202e',
    'x'.repeat(81),
    '李'.repeat(81),
    'a\nb',
    'a\u0000',
    '\ud800',
    5,
    true,
    {},
    ['a'],
    undefined,
  ])('rejects %j', (name) => expect(fieldsRefused(() => read(name))).toEqual(['speakers.SPEAKER_1']));

  it('names every invalid label up to a limit', () => {
    expect(fieldsRefused(() => parseSpeakerChanges({ A: '', B: 'b', C: 1 }))).toEqual([
      'speakers.A',
      'speakers.C',
    ]);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`SPEAKER_${at}`, '']));
    expect(fieldsRefused(() => parseSpeakerChanges(many))).toHaveLength(20);
  });
});

describe('assertKnownLabels', () => {
  const labels = ['SPEAKER_1', 'SPEAKER_2'];

  it('accepts labels of the transcript', () => {
    expect(fieldsRefused(() => assertKnownLabels({ SPEAKER_2: null }, labels))).toEqual([]);
  });

  it('names unknown labels', () => {
    const changes = { SPEAKER_1: 'a', SPEAKER_9: 'b', speaker_2: null, toString: 'c' };
    expect(fieldsRefused(() => assertKnownLabels(changes, labels))).toEqual([
      'speakers.SPEAKER_9',
      'speakers.speaker_2',
      'speakers.toString',
    ]);
  });
});
