const TEST = 'test/integration/following-stages.test.ts';
const UPLOAD_TEST = 'test/integration/queue-uploaded-job.test.ts';

/** Statements that are sent at once, and stages that follow in the same process, keep all guarantees. @type {import('../mutation.mjs').Mutation[]} */
export const FOLLOWING_STAGES = [
  {
    protects: 'a requirement that does not hold undoes the transaction',
    file: 'libs/database/src/query-rows.ts',
    change: 'it is not required',
    from: "return `require_condition(${condition}, '${requirement}')`;",
    to: "return `(${condition} OR '${requirement}' <> '')`;",
    test: 'test/integration/transactions.test.ts',
    name: 'nothing is committed if a requirement does not hold (after another statement: %s)',
  },
  {
    protects: 'a short recording is not transcribed for an account that cannot pay',
    file: 'libs/billing/src/ledger.repository.ts',
    change: 'the hold is not required',
    from: "${buildFailUnlessSql(IS_HELD_SQL, 'credits')}",
    to: 'true',
    test: 'test/integration/short-recordings.failures.test.ts',
    name: 'fails before it is transcribed if its account cannot pay, and its slot becomes free',
  },
  {
    protects: 'an account completes only its own uploads',
    file: 'libs/jobs/src/lifecycle/job.repository.ts',
    change: 'any account may',
    from: 'account_id = $5 AND source',
    to: 'source',
    test: UPLOAD_TEST,
    name: 'is not queued for another account',
  },
  {
    protects: 'an upload that is not whole is not queued',
    file: 'libs/jobs/src/lifecycle/job.repository.ts',
    change: 'the size is not compared',
    from: ' AND declared_size = $3)',
    to: ')',
    test: UPLOAD_TEST,
    name: 'is not queued if %s',
  },
  {
    protects: 'aggregation after the last chunk does not overtake others that wait',
    file: 'libs/jobs/src/stages/aggregation-schedule.repository.ts',
    change: 'waiting ones are ignored',
    from: "WHERE state = 'pending' AND queue = 'aggregation' AND due_at <= now())\n        AND ($5",
    to: "WHERE false AND state = 'pending' AND queue = 'aggregation' AND due_at <= now())\n        AND ($5",
    test: TEST,
    name: 'while the aggregation of another account waits for its turn',
  },
  {
    protects: 'a process assembles no more transcripts than configured',
    file: 'apps/processor/src/hand-over/stage-hand-over-runner.ts',
    change: 'those after a last chunk take no slot',
    from: 'release ??= this.tryTakeSlot(aggregationSlots);',
    to: 'release ??= () => undefined;',
    test: TEST,
    name: 'while the process assembles as many transcripts as it may',
  },
  {
    protects: 'each attempt stores its transcript under a key of its own',
    file: 'libs/jobs/src/stages/aggregation-schedule.repository.ts',
    change: 'aggregation after a last chunk has the fence of a short recording',
    from: 'is_claimed::int, is_claimed::int,',
    to: '0, is_claimed::int,',
    test: TEST,
    name: 'ends in the process that transcribed its last chunk, without a further message',
  },
];
