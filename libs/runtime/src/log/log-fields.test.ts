import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { addLogFields, logFields, withLogFields } from './log-fields.js';

describe('log fields', () => {
  it('are those of the work that logs, whatever runs beside it', async () => {
    const seen: unknown[] = [];
    const work = (job_id: string) =>
      withLogFields({ job_id }, async () => {
        await turn();
        addLogFields({ stage: `of ${job_id}` });
        await turn();
        seen.push(logFields());
      });
    await Promise.all([work('a'), work('b')]);
    expect(seen).toEqual([
      { job_id: 'a', stage: 'of a' },
      { job_id: 'b', stage: 'of b' },
    ]);
    expect(logFields()).toEqual({});
  });

  it('add to those around them, and end with the work', () => {
    withLogFields({ request_id: 'r' }, () => {
      withLogFields({ job_id: 'j' }, () => expect(logFields()).toEqual({ request_id: 'r', job_id: 'j' }));
      expect(logFields()).toEqual({ request_id: 'r' });
    });
  });

  it('are not kept outside of any work', () => {
    addLogFields({ job_id: 'j' });
    expect(logFields()).toEqual({});
  });
});
