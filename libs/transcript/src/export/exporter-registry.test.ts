import { describe, expect, it } from 'vitest';
import { FormatUnavailableError } from './exporter.js';
import { OUTPUT_TYPES, type OutputType } from './output-types.js';
import { AVAILABLE_FORMATS, findExporter } from './exporter-registry.js';

describe('findExporter', () => {
  it.each(OUTPUT_TYPES)('returns the exporter of %s', (format) => {
    expect(findExporter(format)).toMatchObject({ format, extension: format });
  });

  it.each(['odt', 'constructor', ''])('rejects an unknown format: "%s"', (format) => {
    expect(() => findExporter(format as OutputType)).toThrow(
      new FormatUnavailableError(format as OutputType),
    );
  });
});

describe('AVAILABLE_FORMATS', () => {
  it('are the formats of the interface', () => {
    expect([...AVAILABLE_FORMATS].sort()).toEqual([...OUTPUT_TYPES].sort());
  });
});
