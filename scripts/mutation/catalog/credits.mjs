const LEDGER = 'libs/billing/src/ledger.repository.ts';
const INITIAL = 'libs/database/src/migrations/1763600000000-initial.ts';
const CREDITS_TEST = 'test/integration/credits.test.ts';

/** Balances stay correct. @type {import('../mutation.mjs').Mutation[]} */
export const CREDITS = [
  {
    protects: 'holds are covered',
    change: 'the balance is not looked at',
    file: LEDGER,
    from: 'WHERE id = $1 AND balance >= $3',
    to: 'WHERE id = $1 AND balance >= LEAST(0, $3)',
    test: CREDITS_TEST,
    name: 'concurrent holds succeed exactly as often as the balance covers',
  },
  {
    protects: 'balances below zero, in the database',
    change: 'it takes them',
    file: INITIAL,
    from: 'CHECK ("balance" >= 0)',
    to: 'CHECK ("balance" IS NOT NULL)',
    test: CREDITS_TEST,
    name: 'no statement can make the balance negative',
  },
  {
    protects: 'one entry of a kind for a job',
    change: 'the database takes several',
    file: INITIAL,
    from: 'CREATE UNIQUE INDEX "credit_entry_job_kind"',
    to: 'CREATE INDEX "credit_entry_job_kind"',
    test: CREDITS_TEST,
    name: 'a second entry of the same kind for one job is rejected',
  },
  {
    protects: 'no charge over what was held',
    change: 'what was processed is charged',
    file: LEDGER,
    from: 'Math.min(charge, held)',
    to: 'charge',
    test: CREDITS_TEST,
    name: 'a capture never exceeds the hold',
  },
  {
    protects: 'holds of jobs that end',
    change: 'they are kept',
    file: LEDGER,
    from: `  await tx.query(INSERT_ENTRY, [accountId, 'release', held, jobId, null]);\n`,
    to: '',
    test: CREDITS_TEST,
    name: 'a failed job costs nothing',
  },
  {
    protects: 'a payment is settled once',
    change: 'its state is not asked for',
    file: 'libs/billing/src/payments/payment.repository.ts',
    from: `payment.id = $1 AND account_id = holder.id AND state = 'requested'`,
    to: 'payment.id = $1 AND account_id = holder.id',
    test: 'test/integration/payments.test.ts',
    name: 'a payment is settled or declined exactly once',
  },
  {
    protects: 'jobs without credit',
    change: 'they are created all the same',
    file: 'libs/billing/src/credit-check.ts',
    from: `    const state = rechargeBelow === null ? 'off' :`,
    to: `    if (balance === 0) return;\n    const state = rechargeBelow === null ? 'off' :`,
    test: CREDITS_TEST,
    name: 'a job of an account without credits is rejected',
  },
];
