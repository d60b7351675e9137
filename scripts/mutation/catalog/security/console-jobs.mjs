const FILTERS_TEST = 'test/integration/account-filters.test.ts';
const WATCHER_TEST = 'apps/api/src/streaming/access-revocation-watcher.test.ts';
const SUMMARIES = 'libs/jobs/src/reads/job-summary.repository.ts';

/** Users of the console see and change jobs of their account only, and only while their session permits it. @type {import('../../mutation.mjs').Mutation[]} */
export const CONSOLE_JOBS = [
  {
    protects: 'jobs of others, in the list of the console',
    change: 'the account is not a condition',
    file: SUMMARIES,
    from: 'WHERE job.account_id = $1\n',
    to: 'WHERE $1::uuid IS NOT NULL\n',
    test: FILTERS_TEST,
    name: 'overviews and details of jobs of another account are not returned',
  },
  {
    protects: 'details of jobs of others',
    change: 'the account is not a condition',
    file: SUMMARIES,
    from: 'WHERE job.id = $2 AND job.account_id = $1',
    to: 'WHERE job.id = $2 AND $1::uuid IS NOT NULL',
    test: FILTERS_TEST,
    name: 'overviews and details of jobs of another account are not returned',
  },
  {
    protects: 'streams of users with another role',
    change: 'the role is not compared',
    file: 'apps/api/src/streaming/access-revocation-watcher.ts',
    from: '`session:${sessionId}:${accountId}:${role}`',
    to: '`session:${sessionId}:${accountId}:${role === undefined}`',
    test: WATCHER_TEST,
    name: 'ends the streams of a session that %s, within a second, and no others',
  },
  {
    protects: 'suspended accounts',
    change: 'their users create jobs',
    file: 'apps/api/src/console/console.guard.ts',
    from: 'if (session.isAccountSuspended && PERMISSIONS_SUSPENDED_WITH_ACCOUNT.has(permission))',
    to: 'if (session.isAccountSuspended && role.length === 0)',
    test: 'test/e2e/console-jobs.test.ts',
    name: 'its users see their jobs and create none',
  },
  {
    protects: 'the audit log',
    change: 'a cancelled job is not recorded',
    file: 'apps/api/src/jobs/job-cancellation-and-failure-check.service.ts',
    from: [
      '      await recordAuditEvent(tx, toAuditActor(caller), {',
      '        accountId,',
      "        action: 'job.cancelled',",
      '        target: job.id,',
      '      });',
      '',
    ].join('\n'),
    to: '',
    test: 'test/e2e/console-jobs.test.ts',
    name: 'a member cancels a job, which is in the audit log; a viewer and other accounts cannot',
  },
  {
    protects: 'corrections of other accounts',
    change: 'the account is not a condition',
    file: 'libs/jobs/src/corrections/transcript-correction.repository.ts',
    from: 'JOIN job ON job.id = correction.job_id AND job.account_id = $1',
    to: 'JOIN job ON job.id = correction.job_id AND $1::uuid IS NOT NULL',
    test: FILTERS_TEST,
    name: 'corrections of a transcript of another account are not returned',
  },
  {
    protects: 'objects of deleted jobs: no worker writes them afterwards',
    change: 'a cancelled job is deleted at once',
    file: 'apps/api/src/console/jobs/job-deletion.service.ts',
    from: "if (status === 'failed' && seconds > 0)",
    to: "if (status === 'failed' && seconds > 1e9)",
    test: 'test/e2e/console-job-changes.test.ts',
    name: 'of a cancelled job waits until no worker can write for it',
  },
];
