import { describe, expect, it } from 'vitest';
import { parseTranscriptQuery } from './parse-transcript-query.js';

function rejectionOf(query: Record<string, unknown>): unknown {
  try {
    return parseTranscriptQuery(query, 'json');
  } catch (error) {
    return error;
  }
}

describe('parseTranscriptQuery', () => {
  it.each(['json', 'txt', 'srt', 'vtt', 'docx', 'pdf'])('accepts %s', (format) => {
    expect(parseTranscriptQuery({ format }, 'json')).toEqual({ format, captionLayout: undefined });
  });

  it('returns the default format without a parameter', () =>
    expect(parseTranscriptQuery({}, 'vtt')).toEqual({ format: 'vtt', captionLayout: undefined }));

  it.each(['', 'PDF', 'odt', ' json', 'constructor', ['json', 'txt'], ['json']])('rejects %j', (format) => {
    expect(rejectionOf({ format })).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      errors: [{ field: 'format' }],
    });
  });

  it.each([
    [
      { format: 'srt', max_line_chars: '32' },
      { lineColumns: 32, maxLines: 2 },
    ],
    [
      { format: 'vtt', max_lines: '1' },
      { lineColumns: 42, maxLines: 1 },
    ],
    [
      { format: 'vtt', max_line_chars: '200', max_lines: '6' },
      { lineColumns: 200, maxLines: 6 },
    ],
  ])('returns the caption layout of %j', (query, captionLayout) => {
    expect(parseTranscriptQuery(query, 'json')).toEqual({ format: query.format, captionLayout });
  });

  it.each([
    [{ format: 'srt', max_line_chars: '9' }, 'max_line_chars'],
    [{ format: 'srt', max_line_chars: '201' }, 'max_line_chars'],
    [{ format: 'srt', max_lines: '0' }, 'max_lines'],
    [{ format: 'srt', max_lines: '7' }, 'max_lines'],
    [{ format: 'srt', max_lines: '1.5' }, 'max_lines'],
    [{ format: 'srt', max_lines: ['1', '2'] }, 'max_lines'],
    [{ format: 'txt', max_lines: '2' }, 'max_lines'],
    [{ max_line_chars: '42' }, 'max_line_chars'],
  ])('rejects %j', (query, field) => {
    expect(rejectionOf(query)).toMatchObject({ code: 'invalid_parameter', errors: [{ field }] });
  });
});
