import { ServiceError } from '@app/errors';
import { describe, expect, it } from 'vitest';
import { assertKnownSpeakerLabels, parseSpeakerNameChanges } from './parse-speaker-name-changes.js';

function invalidFields(parse: () => unknown): string[] {
  try {
    parse();
  } catch (error) {
    if (error instanceof ServiceError && error.status === 422)
      return (error.errors ?? []).map(({ field }) => field);
    throw error;
  }
  return [];
}
const read = (name: unknown) => parseSpeakerNameChanges({ SPEAKER_1: name })['SPEAKER_1'];

describe('parseSpeakerNameChanges', () => {
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
  ])('normalizes %j', (input, expected) => expect(read(input)).toBe(expected));

  it('accepts null and an empty object', () => {
    expect(read(null)).toBeNull();
    expect(parseSpeakerNameChanges({})).toEqual({});
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
  ])('rejects %j', (name) => expect(invalidFields(() => read(name))).toEqual(['speakers.SPEAKER_1']));

  it('names every invalid label up to a limit', () => {
    expect(invalidFields(() => parseSpeakerNameChanges({ A: '', B: 'b', C: 1 }))).toEqual([
      'speakers.A',
      'speakers.C',
    ]);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`SPEAKER_${index}`, '']));
    expect(invalidFields(() => parseSpeakerNameChanges(many))).toHaveLength(20);
  });
});

describe('assertKnownSpeakerLabels', () => {
  const labels = ['SPEAKER_1', 'SPEAKER_2'];

  it('accepts labels of the transcript', () => {
    expect(invalidFields(() => assertKnownSpeakerLabels({ SPEAKER_2: null }, labels))).toEqual([]);
  });

  it('names unknown labels', () => {
    const changes = { SPEAKER_1: 'a', SPEAKER_9: 'b', speaker_2: null, toString: 'c' };
    expect(invalidFields(() => assertKnownSpeakerLabels(changes, labels))).toEqual([
      'speakers.SPEAKER_9',
      'speakers.speaker_2',
      'speakers.toString',
    ]);
  });
});
