import { expect, it } from 'vitest';
import { MUTATIONS } from './catalog.mjs';
import { renderReport } from './report.mjs';

const run = { finishedAt: new Date('2026-11-22T10:00:00Z'), minutes: '0.5' };

it('the mutation report counts the outcomes and has a row for each mutation of the run', () => {
  const results = MUTATIONS.slice(0, 3).map((mutation, at) => ({
    mutation,
    outcome: /** @type {const} */ (['killed', 'survived', 'invalid'])[at] ?? 'killed',
  }));
  const report = renderReport(results, run);
  expect(report).toContain('1 of 3 mutations killed, 1 survived, 1 invalid');
  expect(report.match(/^\| (killed|survived|invalid) \| /gm)).toHaveLength(3);
});

it('the mutation report has a row for every mutation of the catalog after a whole run', () => {
  const report = renderReport(
    MUTATIONS.map((mutation) => ({ mutation, outcome: 'killed' })),
    run,
  );
  expect(report.match(/^\| killed \| /gm)).toHaveLength(MUTATIONS.length);
});
