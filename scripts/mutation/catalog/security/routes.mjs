const ISOLATION = {
  change: 'it looks the job up for whoever owns it',
  test: 'test/e2e/one-service.test.ts',
  name: 'a route answers exactly as for an unknown id and changes nothing',
};

/** The account that a job is of, as an expression for whoever forgot to ask whose it is. */
const findOwner = (id, caller) =>
  `(await this.dataSource.query('SELECT account_id FROM job WHERE id::text = $1', [${id}]))[0]?.account_id ?? ${caller}`;

/**
 * A route that takes the id of a job.
 *
 * @param {string} file @param {string} before the look-up @param {string} after it
 * @param {{ id?: string, caller?: string }} [names]
 */
function loadKeys(file, before, after, { id = 'jobId', caller = 'caller.accountId' } = {}) {
  const asked = (account) => `${before}getJob(this.dataSource, ${account}, ${id})${after}`;
  return { ...ISOLATION, file, from: asked(caller), to: asked(findOwner(id, caller)) };
}

const UPLOADS = 'apps/api/src/uploads/single-uploads.service.ts';
const MULTIPART = 'apps/api/src/uploads/multipart-ending.service.ts';

/** Every route restricts the job to the caller's account. @type {import('../../mutation.mjs').Mutation[]} */
export const ROUTES = [
  {
    protects: 'jobs of others: the route that shows one',
    ...loadKeys('apps/api/src/jobs/jobs.controller.ts', 'await ', ';'),
  },
  {
    protects: 'jobs of others: the route that completes an upload',
    ...loadKeys(UPLOADS, 'await ', ';\n    if (job.queued'),
  },
  {
    protects: 'jobs of others: the route that completes an upload in parts',
    ...loadKeys(MULTIPART, 'await ', ';', { id: 'dto.job_id' }),
  },
  {
    protects: 'jobs of others: the route that aborts an upload in parts',
    ...loadKeys(MULTIPART, 'await ', ';\n    if (job.source'),
  },
  {
    protects: 'jobs of others: the route that names speakers',
    ...loadKeys('apps/api/src/speakers/speakers.service.ts', 'await ', ';'),
  },
  {
    protects: 'jobs of others: the route of transcripts',
    ...loadKeys('apps/api/src/results/job-transcript.controller.ts', 'await ', ';'),
  },
  {
    protects: 'jobs of others: the route of streams',
    ...loadKeys('apps/api/src/streaming/job-stream.ts', 'const job = await ', ';', { caller: 'accountId' }),
  },
];
