import { describe, expect, it } from 'vitest';
import { UserFacingError } from '../user-facing-error.mjs';
import { parsePort } from './port.mjs';
import { formatTime, formatTranscript, formatProgress } from './format-output.mjs';
import { parseServerSentEvents } from './server-sent-events.mjs';

async function* inParts(text, size) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function eventsOf(text, size) {
  const found = [];
  for await (const event of parseServerSentEvents(inParts(text, size))) found.push(event);
  return found;
}

describe('readEvents', () => {
  const stream =
    ': hello\n\nid: 1\nevent: progress\ndata: {"step":"größe"}\n\nid: 2\r\nevent: transcript\r\ndata: a\r\ndata:b\r\n\r\ndata: cut off';
  const events = [
    { id: '1', event: 'progress', data: '{"step":"größe"}' },
    { id: '2', event: 'transcript', data: 'a\nb' },
  ];
  it.each([1, 2, 7, 1000])('gives the same events whatever the parts (%i bytes)', async (size) => {
    expect(await eventsOf(stream, size)).toEqual(events);
  });
});

describe('formatTranscript', () => {
  it('names a speaker once a turn, wraps long text under its time and ends with the warnings', () => {
    const segment = (start, speaker, text) => ({ start, speaker, text });
    const lines = formatTranscript(
      {
        duration: 62.5,
        language: 'en',
        speakers: [{}, {}],
        segments: [
          segment(0.4, 'SPEAKER_1', 'one two three four five six'),
          segment(5, 'SPEAKER_1', 'seven'),
          segment(61, 'SPEAKER_2', 'eight'),
        ],
        warnings: [{ message: 'Something.' }],
      },
      30,
    );
    expect(lines).toEqual([
      '1:02 of audio, language en, 2 speakers',
      '',
      'SPEAKER_1',
      '  0:00  one two three four',
      '        five six',
      '  0:05  seven',
      'SPEAKER_2',
      '  1:01  eight',
      '',
      'Warning: Something.',
    ]);
  });
  it('says so when nobody spoke', () => {
    const silence = { duration: 3, language: null, speakers: [], segments: [], warnings: [] };
    expect(formatTranscript(silence, 80)).toContain('  (no speech)');
  });
});

it('takes a port, 3000 unless one is given, and says what is wrong with another', () => {
  expect([parsePort(undefined), parsePort(''), parsePort('8080')]).toEqual([3000, 3000, 8080]);
  for (const text of ['web', '0', '65536', '80.5'])
    expect(() => parsePort(text)).toThrow(
      new UserFacingError(`PORT is ${text}; it must be a whole number from 1 to 65535.`),
    );
});

it('shows times and progress', () => {
  expect(formatTime(3661)).toBe('1:01:01');
  expect(formatProgress({ completed: 1, total: 2, step: 'chunk:0' })).toBe(
    '[############............] 1/2 chunk:0',
  );
  expect(formatProgress({ completed: 0, total: 0, step: 'preprocess' })).toContain('0/0');
});
