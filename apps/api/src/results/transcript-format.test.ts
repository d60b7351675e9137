import { describe, expect, it } from 'vitest';
import { readFormat } from './transcript-format.js';

describe('readFormat', () => {
  it.each(['json', 'txt', 'srt', 'vtt', 'docx', 'pdf'])('takes %s', (format) => {
    expect(readFormat({ format }, 'json')).toBe(format);
  });

  it('is the usual one where none is asked', () => expect(readFormat({}, 'vtt')).toBe('vtt'));

  it.each(['', 'PDF', 'odt', ' json', 'constructor', ['json', 'txt'], ['json']])('refuses %j', (format) => {
    expect(() => readFormat({ format }, 'json')).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'invalid_parameter',
        errors: [expect.objectContaining({ field: 'format' })],
      }),
    );
  });
});
