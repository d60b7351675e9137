import { describe, expect, it } from 'vitest';
import { parseTranscriptQuery } from './parse-transcript-query.js';

describe('parseTranscriptQuery', () => {
  it.each(['json', 'txt', 'srt', 'vtt', 'docx', 'pdf'])('accepts %s', (format) => {
    expect(parseTranscriptQuery({ format }, 'json')).toBe(format);
  });

  it('returns the default format without a parameter', () =>
    expect(parseTranscriptQuery({}, 'vtt')).toBe('vtt'));

  it.each(['', 'PDF', 'odt', ' json', 'constructor', ['json', 'txt'], ['json']])('rejects %j', (format) => {
    expect(() => parseTranscriptQuery({ format }, 'json')).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'invalid_parameter',
        errors: [expect.objectContaining({ field: 'format' })],
      }),
    );
  });
});
