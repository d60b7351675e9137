import { ServiceError } from '@app/errors';
import { describe, expect, it } from 'vitest';
import { JobOptionsDto } from '../jobs/job-options.dto.js';
import { CompleteMultipartUploadDto } from '../uploads/multipart.dto.js';
import { CreateUploadDto } from '../uploads/upload.dto.js';
import { createValidatedDto } from './create-validated-dto.js';

const JOB_ID = '01a1f930-5bfb-7310-a1ae-f4b0e0fa865b';

function invalidFields(create: () => unknown): string[] {
  try {
    create();
  } catch (error) {
    if (error instanceof ServiceError && error.status === 422)
      return (error.errors ?? []).map(({ field }) => field);
  }
  return expect.unreachable('not rejected');
}

describe('createValidatedDto', () => {
  it('keeps the fields that the class and its parents declare, and drops all others', () => {
    const input = JSON.parse(
      '{"file_size": 3, "nltk": false, "id": 1, "__proto__": {"tier": "x"}}',
    ) as unknown;
    const dto = createValidatedDto(CreateUploadDto, input);
    expect(dto).toBeInstanceOf(CreateUploadDto);
    const declared = Object.entries(dto).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(declared)).toEqual({ file_size: 3, nltk: false });
    expect(dto.tier).toBeUndefined();
  });

  it.each([[[]], [[{ file_size: 1 }]], ['text'], [1], [null]])(
    'rejects %j, which is not an object',
    (value) => {
      expect(invalidFields(() => createValidatedDto(CreateUploadDto, value))).toEqual(['body']);
    },
  );

  it('treats a missing body as an empty object', () => {
    expect(invalidFields(() => createValidatedDto(CompleteMultipartUploadDto, undefined))).toEqual([
      'parts',
      'job_id',
    ]);
  });

  it.each([
    ['a list that is too long', { custom_vocabulary: Array.from({ length: 1_001 }, () => 'a') }],
    ['a list of a million', { custom_vocabulary: Array.from({ length: 1_000_000 }, () => 1) }],
    ['a list in place of a text', { model: Array.from({ length: 1_000_000 }, () => 1) }],
  ])('rejects %s and names the field', (_, value) => {
    expect(invalidFields(() => createValidatedDto(JobOptionsDto, value))).toEqual([Object.keys(value)[0]]);
  });

  it('validates neither the items of an oversized list nor undeclared fields', () => {
    const monitoredList = new Proxy(new Array<number>(1_000_000), {
      get(target, name) {
        if (name === 'length') return target.length;
        throw new Error(`looked at ${String(name)}`);
      },
    });
    expect(
      invalidFields(() =>
        createValidatedDto(CompleteMultipartUploadDto, { job_id: JOB_ID, parts: monitoredList }),
      ),
    ).toEqual(['parts']);
    expect(() => createValidatedDto(JobOptionsDto, { unknown: monitoredList })).not.toThrow();
  });

  it('survives deeply nested input', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
    expect(invalidFields(() => createValidatedDto(JobOptionsDto, { tier: deep }))).toEqual(['tier']);
  });
});
