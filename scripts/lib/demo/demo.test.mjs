import { describe, expect, it } from 'vitest';
import { UserFacingError } from '../user-facing-error.mjs';
import { parsePort } from './port.mjs';
import { formatTime, formatTranscript, formatProgress } from './format-output.mjs';
import { parseServerSentEvents } from './server-sent-events.mjs';

async function* splitBytes(text, size) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function parseEvents(text, size) {
  const found = [];
  for await (const event of parseServerSentEvents(splitBytes(text, size))) found.push(event);
  return found;
}

describe('parseServerSentEvents', () => {
  const stream =
    ': hello\n\nid: 1\nevent: progress\ndata: {"step":"größe"}\n\nid: 2\r\nevent: transcript\r\ndata: a\r\ndata:b\r\n\r\ndata: cut off';
  const events = [
    { id: '1', event: 'progress', data: '{"step":"größe"}' },
    { id: '2', event: 'transcript', data: 'a\nb' },
  ];
  it.each([1, 2, 7, 1000])('returns the same events from chunks of %i bytes', async (size) => {
    expect(await parseEvents(stream, size)).toEqual(events);
  });
});

describe('formatTranscript', () => {
  it('names a speaker once per turn, indents wrapped text and ends with the warnings', () => {
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
  it('reports a transcript without speech', () => {
    const silence = { duration: 3, language: null, speakers: [], segments: [], warnings: [] };
    expect(formatTranscript(silence, 80)).toContain('  (no speech)');
  });
});

it('parsePort returns 3000 by default, and rejects an invalid port with the reason', () => {
  expect([parsePort(undefined), parsePort(''), parsePort('8080')]).toEqual([3000, 3000, 8080]);
  for (const text of ['web', '0', '65536', '80.5'])
    expect(() => parsePort(text)).toThrow(
      new UserFacingError(`PORT is ${text}; it must be a whole number from 1 to 65535.`),
    );
});

it('formatTime and formatProgress format times and progress', () => {
  expect(formatTime(3661)).toBe('1:01:01');
  expect(formatProgress({ completed: 1, total: 2, step: 'chunk:0' })).toBe(
    '[############............] 1/2 chunk:0',
  );
  expect(formatProgress({ completed: 0, total: 0, step: 'preprocess' })).toContain('0/0');
});
