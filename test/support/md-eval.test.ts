import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseMdEvalReport, computeDiarizationErrors } from './md-eval.js';

const installed = existsSync('/usr/lib/sctk/bin/md-eval.pl');
if (!installed) console.warn('Skipped scoring of speakers: md-eval.pl (package sctk) is not installed.');

const REFERENCE = [
  { speaker: 'Ruth', start: 0, end: 10 },
  { speaker: 'Martin', start: 11, end: 21 },
];

describe.skipIf(!installed)('computeDiarizationErrors', () => {
  it('the error rate is zero for equal turns under other speaker names', async () => {
    const same = REFERENCE.map((turn, speaker) => ({ ...turn, speaker }));
    expect(await computeDiarizationErrors(REFERENCE, same, 0)).toMatchObject({ percent: 0, scored: 20 });
  });

  it('missed, invented and confused speech is counted', async () => {
    const erroneous = [
      { speaker: 0, start: 0, end: 8 },
      { speaker: 0, start: 11, end: 16 },
      { speaker: 1, start: 16, end: 22 },
    ];
    const { missed, falseAlarm, confused, percent } = await computeDiarizationErrors(REFERENCE, erroneous, 0);
    expect({ missed, falseAlarm, confused, percent }).toEqual({
      missed: 10,
      falseAlarm: 5,
      confused: 25,
      percent: 40,
    });
  });

  it('errors within the collar are not counted', async () => {
    const late = REFERENCE.map(({ speaker, start, end }) => ({
      speaker,
      start: start + 0.2,
      end: end + 0.2,
    }));
    expect((await computeDiarizationErrors(REFERENCE, late, 0)).percent).toBeGreaterThan(1);
    expect((await computeDiarizationErrors(REFERENCE, late, 0.25)).percent).toBe(0);
  });

  it('a reference without turns is rejected', async () => {
    await expect(computeDiarizationErrors([], REFERENCE, 0)).rejects.toThrow(RangeError);
  });
});

describe('parseMdEvalReport', () => {
  it('a report without scores is rejected', () => {
    expect(() => parseMdEvalReport('nothing of use')).toThrow(/no scores/);
  });
});
