import { describe, expect, it } from 'vitest';
import { FormatUnavailable } from './exporter.js';
import { OUTPUT_TYPES, type OutputType } from './format.js';
import { availableFormats, exporterFor } from './registry.js';

describe('exporterFor', () => {
  it.each(OUTPUT_TYPES)('knows %s by its own name', (format) => {
    expect(exporterFor(format)).toMatchObject({ format, extension: format });
  });

  it.each(['odt', 'constructor', ''])('refuses what it cannot write: "%s"', (format) => {
    expect(() => exporterFor(format as OutputType)).toThrow(new FormatUnavailable(format as OutputType));
  });
});

describe('availableFormats', () => {
  it('are those of the contract', () => {
    expect([...availableFormats].sort()).toEqual([...OUTPUT_TYPES].sort());
  });
});
