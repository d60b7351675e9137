import { describe, expect, it } from 'vitest';
import { parseTranscriptFormat } from './parse-transcript-format.js';

describe('parseTranscriptFormat', () => {
  it.each(['json', 'txt', 'srt', 'vtt', 'docx', 'pdf'])('accepts %s', (format) => {
    expect(parseTranscriptFormat({ format }, 'json')).toBe(format);
  });

  it('returns the default format without a parameter', () =>
    expect(parseTranscriptFormat({}, 'vtt')).toBe('vtt'));

  it.each(['', 'PDF', 'odt', ' json', 'constructor', ['json', 'txt'], ['json']])('rejects %j', (format) => {
    expect(() => parseTranscriptFormat({ format }, 'json')).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'invalid_parameter',
        errors: [expect.objectContaining({ field: 'format' })],
      }),
    );
  });
});
