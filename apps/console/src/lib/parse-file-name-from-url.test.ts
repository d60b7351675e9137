import { describe, expect, it } from 'vitest';
import { parseFileNameFromUrl } from './parse-file-name-from-url.ts';

describe('parseFileNameFromUrl', () => {
  it.each([
    ['https://media.example.org/talks/Board%20meeting.mp3?token=secret#t=1', 'Board meeting.mp3'],
    ['https://media.example.org/talks/', 'media.example.org'],
    ['http://media.example.org', 'media.example.org'],
    ['https://media.example.org/100%.mp3', '100%.mp3'],
    ['not a URL', null],
  ])('names %s', (url, name) => {
    expect(parseFileNameFromUrl(url)).toBe(name);
  });
});
