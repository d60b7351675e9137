import fc from 'fast-check';
import type { Schema } from './described.js';
import { anyText, type Fitting } from './values.js';

export const FORM_TYPE = 'multipart/form-data';

const EDGE = 'edge-of-a-part';
const RIGHT_TYPE = `${FORM_TYPE}; boundary=${EDGE}`;

/** Forms that mostly have the required fields. The file is never audio, so that no engine runs. */
export function formBody(
  schema: Schema,
  fitting: Fitting,
): fc.Arbitrary<{ headers: [string, string][]; body: string }> {
  const isFile = (name: string) => schema.properties?.[name]?.format === 'binary';
  const right = fitting.of(schema).map((value) => Object.entries(value as object) as [string, unknown][]);
  const odd = fc
    .tuple(right, anyText, fc.nat(20))
    .map(([fields, text, position]) =>
      fields.map(([name, value], at) => [name, at === position % fields.length ? text : value] as const),
    );
  // A stream reports undecodable audio as an event; without a stream the request is rejected.
  const streamed = right.map((fields) => [
    ...fields.filter(([name]) => schema.required?.includes(name) === true),
    ['stream', true] as const,
  ]);
  const text = fc
    .oneof({ weight: 3, arbitrary: right }, { weight: 2, arbitrary: streamed }, { weight: 1, arbitrary: odd })
    .map((fields) => {
      const parts = fields.flatMap(([name, value]) =>
        [value].flat().map((each) => part(name, String(each), isFile(name))),
      );
      return `${parts.join('')}--${EDGE}--\r\n`;
    });
  const body = fc.oneof({ weight: 12, arbitrary: text }, { weight: 1, arbitrary: anyText });
  const type = fc.oneof(
    { weight: 12, arbitrary: fc.constant(RIGHT_TYPE) },
    { weight: 1, arbitrary: fc.constantFrom(FORM_TYPE, 'application/json', '') },
  );
  return fc
    .tuple(body, type)
    .map(([sent, declared]) => ({ headers: [['Content-Type', declared]], body: sent }));
}

function part(name: string, value: string, isFile: boolean): string {
  const file = isFile ? '; filename="a.mp3"' : '';
  return `--${EDGE}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
}
