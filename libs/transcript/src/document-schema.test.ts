import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleTranscript } from './assemble/assemble-transcript.js';
import { buildTranscriptJsonSchema, TRANSCRIPT_OPENAPI_SCHEMAS } from './document-schema.js';
import { arbitraryAssemblyInput } from './testing/arbitraries.js';
import { buildChunk, buildAssemblyInput, wordsFromLine } from './testing/samples.js';

/** Closed, so that a field that is not described is noticed. */
const components = {
  schemas: Object.fromEntries(
    Object.entries(TRANSCRIPT_OPENAPI_SCHEMAS).map(([name, schema]) => [
      name,
      { ...schema, unevaluatedProperties: false },
    ]),
  ),
};
const ajv = new Ajv2020({ allowUnionTypes: true, keywords: ['components'] });
addFormats.default(ajv);
const judge = ajv.compile({ $ref: '#/components/schemas/TranscriptDocument', components });
const problems = (document: unknown) => (judge(document) ? [] : judge.errors);

describe('TRANSCRIPT_OPENAPI_SCHEMAS', () => {
  it('describe every field of an assembled transcript', () => {
    fc.assert(
      fc.property(arbitraryAssemblyInput, (input) => {
        const document: unknown = JSON.parse(JSON.stringify(assembleTranscript(input)));
        expect(problems(document)).toEqual([]);
      }),
    );
  });

  it('are also a schema by itself', () => {
    const validate = ajv.compile(buildTranscriptJsonSchema());
    const document = assembleTranscript(buildAssemblyInput([buildChunk(wordsFromLine('Good morning.'))]));
    expect(validate(JSON.parse(JSON.stringify(document)))).toBe(true);
    expect(validate({ ...document, segments: [{}] })).toBe(false);
  });

  it('reject a missing and an unknown field', () => {
    const document = assembleTranscript(buildAssemblyInput([buildChunk(wordsFromLine('Good morning.'))]));
    expect(problems(document)).toEqual([]);
    expect(problems({ ...document, text: undefined })).not.toEqual([]);
    expect(problems({ ...document, extra: 1 })).not.toEqual([]);
    const [segment] = document.segments;
    expect(problems({ ...document, segments: [{ ...segment, start: null }] })).not.toEqual([]);
  });
});
