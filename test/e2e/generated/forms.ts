import fc from 'fast-check';
import type { Schema } from './described.js';
import { anyText, type SchemaArbitraries } from './values.js';

export const FORM_TYPE = 'multipart/form-data';

const BOUNDARY = 'edge-of-a-part';
const VALID_CONTENT_TYPE = `${FORM_TYPE}; boundary=${BOUNDARY}`;

/** Forms that mostly have the required fields. The file is never audio, so that no engine runs. */
export function generateForm(
  schema: Schema,
  arbitraries: SchemaArbitraries,
): fc.Arbitrary<{ headers: [string, string][]; body: string }> {
  const isFile = (name: string) => schema.properties?.[name]?.format === 'binary';
  const validFields = arbitraries
    .of(schema)
    .map((value) => Object.entries(value as object) as [string, unknown][]);
  const fieldsWithInvalidValue = fc
    .tuple(validFields, anyText, fc.nat(20))
    .map(([fields, text, position]) =>
      fields.map(
        ([name, value], index) => [name, index === position % fields.length ? text : value] as const,
      ),
    );
  // A stream reports undecodable audio as an event; without a stream the request is rejected.
  const streamed = validFields.map((fields) => [
    ...fields.filter(([name]) => schema.required?.includes(name) === true),
    ['stream', true] as const,
  ]);
  const text = fc
    .oneof(
      { weight: 3, arbitrary: validFields },
      { weight: 2, arbitrary: streamed },
      { weight: 1, arbitrary: fieldsWithInvalidValue },
    )
    .map((fields) => {
      const parts = fields.flatMap(([name, value]) =>
        [value].flat().map((each) => formatPart(name, String(each), isFile(name))),
      );
      return `${parts.join('')}--${BOUNDARY}--\r\n`;
    });
  const body = fc.oneof({ weight: 12, arbitrary: text }, { weight: 1, arbitrary: anyText });
  const type = fc.oneof(
    { weight: 12, arbitrary: fc.constant(VALID_CONTENT_TYPE) },
    { weight: 1, arbitrary: fc.constantFrom(FORM_TYPE, 'application/json', '') },
  );
  return fc
    .tuple(body, type)
    .map(([content, declared]) => ({ headers: [['Content-Type', declared]], body: content }));
}

function formatPart(name: string, value: string, isFile: boolean): string {
  const file = isFile ? '; filename="a.mp3"' : '';
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
}
