import { describe, expect, it } from 'vitest';
import { NoExporterForFormatError, TRANSCRIPT_FORMATS, type TranscriptFormat } from './exporter.js';
import { getExporter } from './exporter-registry.js';

describe('getExporter', () => {
  it('says which formats are text', () => {
    const textFormats = TRANSCRIPT_FORMATS.filter((format) => getExporter(format).isText);
    expect(textFormats).toEqual(['json', 'txt', 'srt', 'vtt']);
  });

  it.each(TRANSCRIPT_FORMATS)('returns the exporter of %s', (format) => {
    expect(getExporter(format)).toMatchObject({ format, extension: format });
  });

  it.each(['odt', 'constructor', ''])('rejects an unknown format: "%s"', (format) => {
    expect(() => getExporter(format as TranscriptFormat)).toThrow(
      new NoExporterForFormatError(format as TranscriptFormat),
    );
  });
});
