import { describe, expect, it } from 'vitest';
import { FormatUnavailableError, OUTPUT_TYPES, type TranscriptFormat } from './exporter.js';
import { AVAILABLE_FORMATS, getExporter } from './exporter-registry.js';

describe('getExporter', () => {
  it.each(OUTPUT_TYPES)('returns the exporter of %s', (format) => {
    expect(getExporter(format)).toMatchObject({ format, extension: format });
  });

  it.each(['odt', 'constructor', ''])('rejects an unknown format: "%s"', (format) => {
    expect(() => getExporter(format as TranscriptFormat)).toThrow(
      new FormatUnavailableError(format as TranscriptFormat),
    );
  });
});

describe('AVAILABLE_FORMATS', () => {
  it('are the formats of the interface', () => {
    expect([...AVAILABLE_FORMATS].sort()).toEqual([...OUTPUT_TYPES].sort());
  });
});
