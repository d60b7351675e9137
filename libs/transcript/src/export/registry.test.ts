import { describe, expect, it } from 'vitest';
import { FormatUnavailable } from './exporter.js';
import { OUTPUT_TYPES } from './format.js';
import { availableFormats, exporterFor } from './registry.js';

describe('exporterFor', () => {
  it.each(OUTPUT_TYPES)('%s is written as itself or refused by name', (format) => {
    if (availableFormats.includes(format)) {
      expect(exporterFor(format)).toMatchObject({ format, extension: format });
    } else {
      expect(() => exporterFor(format)).toThrow(new FormatUnavailable(format));
    }
  });

  it('always has the text formats', () => {
    expect(availableFormats).toEqual(expect.arrayContaining(['json', 'txt', 'srt', 'vtt']));
  });
});
