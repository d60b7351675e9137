import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { addLogFields, getCurrentLogFields, withLogFields } from './log-fields.js';

describe('log fields', () => {
  it('belong to the work that logs, independent of concurrent work', async () => {
    const seen: unknown[] = [];
    const work = (job_id: string) =>
      withLogFields({ job_id }, async () => {
        await turn();
        addLogFields({ stage: `of ${job_id}` });
        await turn();
        seen.push(getCurrentLogFields());
      });
    await Promise.all([work('a'), work('b')]);
    expect(seen).toEqual([
      { job_id: 'a', stage: 'of a' },
      { job_id: 'b', stage: 'of b' },
    ]);
    expect(getCurrentLogFields()).toEqual({});
  });

  it('are added to the outer fields and end with the work', () => {
    withLogFields({ request_id: 'r' }, () => {
      withLogFields({ job_id: 'j' }, () =>
        expect(getCurrentLogFields()).toEqual({ request_id: 'r', job_id: 'j' }),
      );
      expect(getCurrentLogFields()).toEqual({ request_id: 'r' });
    });
  });

  it('are ignored outside withLogFields', () => {
    addLogFields({ job_id: 'j' });
    expect(getCurrentLogFields()).toEqual({});
  });
});
