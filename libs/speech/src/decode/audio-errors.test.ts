import { describe, expect, it } from 'vitest';
import { classifyDecodeFailure } from './audio-errors.js';

describe('classifyDecodeFailure', () => {
  it.each([
    ["Stream map '0:a:0' matches no streams.\nTo ignore this, add a trailing '?'", 'no-sound-track'],
    ["[tty @ 0x558f12ad5b80] Format not on whitelist 'wav,mp3'\nfile:/x: Invalid argument", 'not-media'],
    ['file:/x: Invalid data found when processing input\n', 'not-media'],
    ['[mov,mp4 @ 0x55c9] moov atom not found\nfile:/x: Invalid data found when processing input', 'damaged'],
    ["[wav @ 0x561ef7] no 'data' tag found\nfile:/x: Invalid data found", 'damaged'],
    ['file:/x: End of file\n', 'damaged'],
    ['file:/x: Input/output error\n', 'damaged'],
    ['file:/x: No such file or directory', 'unknown'],
    ['', 'unknown'],
  ])('classifies %j as %s', (output, reason) => {
    expect(classifyDecodeFailure(output)).toBe(reason);
  });
});
