import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleTranscript } from './assemble/assemble.js';
import { TRANSCRIPT_SCHEMAS } from './document-schema.js';
import { anyInput } from './testing/arbitraries.js';
import { chunkOf, inputOf, speak } from './testing/samples.js';

/** Closed, so that a field that is not described is noticed. */
const components = {
  schemas: Object.fromEntries(
    Object.entries(TRANSCRIPT_SCHEMAS).map(([name, schema]) => [
      name,
      { ...schema, unevaluatedProperties: false },
    ]),
  ),
};
const ajv = new Ajv2020({ allowUnionTypes: true, keywords: ['components'] });
addFormats.default(ajv);
const judge = ajv.compile({ $ref: '#/components/schemas/TranscriptDocument', components });
const problems = (document: unknown) => (judge(document) ? [] : judge.errors);

describe('the schema of the transcript', () => {
  it('describes whatever is assembled, and nothing is left out', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const document: unknown = JSON.parse(JSON.stringify(assembleTranscript(input)));
        expect(problems(document)).toEqual([]);
      }),
    );
  });

  it('finds a field that is missing, and one that it does not know', () => {
    const document = assembleTranscript(inputOf([chunkOf(speak('Good morning.'))]));
    expect(problems(document)).toEqual([]);
    expect(problems({ ...document, text: undefined })).not.toEqual([]);
    expect(problems({ ...document, extra: 1 })).not.toEqual([]);
    const [segment] = document.segments;
    expect(problems({ ...document, segments: [{ ...segment, start: null }] })).not.toEqual([]);
  });
});
