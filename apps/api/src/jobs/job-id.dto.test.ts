import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { JobIdDto } from './job-actions.dto.js';

const isRejected = (job_id: unknown) => validateSync(plainToInstance(JobIdDto, { job_id })).length > 0;

describe('job_id in a body', () => {
  it.each([
    '01a1f930-5bfb-7310-a1ae-f4b0e0fa865b',
    '11111111-1111-1111-1111-111111111111',
    'ABCDEF00-0000-0000-0000-000000000000',
  ])('accepts %s', (id) => expect(isRejected(id)).toBe(false));

  it.each(['', 'x', '01a1f930', '01a1f9305bfb7310a1aef4b0e0fa865b', 7, null, undefined, [], {}])(
    'rejects %j',
    (id) => expect(isRejected(id)).toBe(true),
  );
});
