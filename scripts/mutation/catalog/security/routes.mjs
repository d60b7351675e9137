const ISOLATION_TEST = {
  change: 'the route accepts a job of any account',
  test: 'test/e2e/one-service.test.ts',
  name: 'a route answers exactly as for an unknown id and changes nothing',
};

/** Source code: the account that owns the job, instead of the caller's. */
const buildOwnerExpression = (id, caller) =>
  `(await this.dataSource.query('SELECT account_id FROM job WHERE id::text = $1', [${id}]))[0]?.account_id ?? ${caller}`;

/**
 * @param {string} file @param {string} before source before the arguments that look the job up @param {string} after source after them
 * @param {{ id?: string, caller?: string }} [expressions] arguments of the call
 */
function mutateAccountOfJob(file, before, after, { id = 'jobId', caller = 'caller.accountId' } = {}) {
  const buildCall = (account) => `${before}(this.dataSource, ${account}, ${id})${after}`;
  return {
    ...ISOLATION_TEST,
    file,
    from: buildCall(caller),
    to: buildCall(buildOwnerExpression(id, caller)),
  };
}

const UPLOADS = 'apps/api/src/uploads/single-uploads.service.ts';
const MULTIPART = 'apps/api/src/uploads/multipart-completion-and-abort.service.ts';

/** Every route restricts the job to the caller's account. @type {import('../../mutation.mjs').Mutation[]} */
export const ROUTES = [
  {
    protects: 'jobs of other accounts cannot be read',
    ...mutateAccountOfJob('apps/api/src/jobs/jobs.controller.ts', 'await getJobAndLinkTrace', ';'),
  },
  {
    protects: 'uploads of other accounts cannot be completed',
    ...mutateAccountOfJob(UPLOADS, 'await getJobAndJoinTrace', ';\n    if (job.queued'),
  },
  {
    protects: 'multipart uploads of other accounts cannot be completed',
    ...mutateAccountOfJob(MULTIPART, 'await getJobAndJoinTrace', ';', { id: 'dto.job_id' }),
  },
  {
    protects: 'multipart uploads of other accounts cannot be aborted',
    ...mutateAccountOfJob(MULTIPART, 'await getJobAndJoinTrace', ';\n    if (job.source'),
  },
  {
    protects: 'speakers in jobs of other accounts cannot be named',
    ...mutateAccountOfJob('apps/api/src/speakers/speakers.service.ts', 'await getJobAndLinkTrace', ';'),
  },
  {
    protects: 'transcripts of other accounts cannot be read',
    ...mutateAccountOfJob(
      'apps/api/src/transcripts/job-transcript.controller.ts',
      'await getJobAndLinkTrace',
      ';',
    ),
  },
  {
    protects: 'events of other accounts cannot be streamed',
    ...mutateAccountOfJob(
      'apps/api/src/streaming/job-stream.ts',
      'const job = await getJobAndLinkTrace',
      ';',
      {
        caller: 'accountId',
      },
    ),
  },
];
