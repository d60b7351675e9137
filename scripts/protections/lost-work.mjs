/** What keeps jobs from being lost, doubled or mixed up. @type {import('./protection.mjs').Protection[]} */
export const LOST_WORK = [
  {
    what: 'one terminal state',
    file: 'libs/jobs/src/lifecycle/finish-job.ts',
    by: 'the update does not ask for `processing`',
    from: `WHERE id = $1 AND status = 'processing'`,
    to: 'WHERE id = $1',
    test: 'test/integration/jobs.lifecycle.test.ts',
    name: 'comes once: of many that end it at the same time one wins, and the state never changes again',
  },
  {
    what: 'starts are counted before the work',
    file: 'libs/jobs/src/stages/claim-stage.ts',
    by: 'every start is the first',
    from: 'attempts = attempts + 1',
    to: 'attempts = 1',
    test: 'test/integration/jobs.lifecycle.test.ts',
    name: 'is given up after three starts that ended their worker',
  },
];
