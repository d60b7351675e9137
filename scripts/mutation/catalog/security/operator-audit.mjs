const TRANSACTIONS = 'test/integration/operator-audit.transactions.test.ts';

/** Each change of an operator is in the audit log of the account that it concerns. @type {import('../../mutation.mjs').Mutation[]} */
export const OPERATOR_AUDIT = [
  {
    protects: 'the audit log of a suspended account',
    change: 'cancelled jobs have no event',
    file: 'apps/admin/src/jobs/cancel-job-as-operator.ts',
    from: "    await recordOperatorAction(tx, { accountId, action: 'job.cancelled', target: id, details });\n",
    to: '',
    test: TRANSACTIONS,
    name: 'is written for each job that the suspension of an account cancels, and for no other',
  },
  {
    protects: 'the audit log of the accounts of a user',
    change: 'what operators change of users belongs to no account',
    file: 'libs/auth/src/audit/record-user-audit-events.ts',
    from: "actor.kind === 'operator' ?",
    to: "actor.kind === 'system' ?",
    test: TRANSACTIONS,
    name: 'of a user is in the log of each account that the user belongs to',
  },
  {
    protects: 'a change and its event are one transaction',
    change: 'webhooks are held before it',
    file: 'apps/admin/src/webhooks/webhooks.command.ts',
    from: 'if (await holdAllWebhookDeliveries(tx))',
    to: 'if (await holdAllWebhookDeliveries(dataSource))',
    test: TRANSACTIONS,
    name: 'is not made without its audit event, and with it the account finds the event by its target',
  },
  {
    protects: 'the event of a change that a crash interrupts',
    change: 'it is written after the change only',
    file: 'apps/admin/src/operator-audit.ts',
    from: "  await record('started').catch((error: unknown) => {",
    to: '  await Promise.resolve().catch((error: unknown) => {',
    test: 'test/integration/operator-audit.test.ts',
    name: 'the event of a change whose process is killed is in the log',
  },
];
