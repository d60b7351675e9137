const TEST = 'test/integration/short-recordings.test.ts';
const FAILURES_TEST = 'test/integration/short-recordings.failures.test.ts';

/** One process can finish a recording of one chunk with all guarantees of queued stages. @type {import('../mutation.mjs').Mutation[]} */
export const SHORT_RECORDINGS = [
  {
    protects: 'the chunk of a short recording does not overtake chunks that wait',
    file: 'libs/jobs/src/stages/chunk-stage-claim.repository.ts',
    change: 'waiting chunks are ignored',
    from: `NOT EXISTS (SELECT FROM job_stage WHERE`,
    to: `NOT EXISTS (SELECT FROM job_stage WHERE false AND`,
    test: TEST,
    name: 'while a chunk of another account waits for its turn',
  },
  {
    protects: 'a short recording counts for the limit of running chunks of its account',
    file: 'libs/jobs/src/runner/stage-runner.ts',
    change: 'the limit is ignored',
    from: `const maxPerAccount = limits?.chunk ?? null;`,
    to: `const maxPerAccount = null;`,
    test: TEST,
    name: 'while its account has as many running chunks as it may, but not while another one has',
  },
  {
    protects: 'the last attempt of a chunk is one of its own',
    file: 'libs/jobs/src/runner/stage-runner.ts',
    change: 'aggregation shares the only attempt',
    from: `return maxAttempts > 1 && maxCrashes`,
    to: `return maxAttempts > 0 && maxCrashes`,
    test: TEST,
    name: 'if %s',
  },
  {
    protects: 'a job that was split before keeps its earlier rows',
    file: 'apps/processor/src/hand-over/stage-hand-over-runner.ts',
    change: 'its chunk is claimed',
    from: ` && stage.job.duration === null && `,
    to: ` && `,
    test: TEST,
    name: 'if its job was split before',
  },
  {
    protects: 'a process transcribes no more chunks than configured',
    file: 'apps/processor/src/hand-over/stage-hand-over-runner.ts',
    change: 'short recordings take no slot',
    from: `slots.tryTake();`,
    to: `() => undefined;`,
    test: TEST,
    name: 'while the process transcribes as many chunks as it may',
  },
  {
    protects: 'the next chunk is transcribed while the transcript of a short recording is stored',
    file: 'apps/processor/src/hand-over/stage-hand-over-runner.ts',
    change: 'its chunk keeps the slot',
    from: `    onTranscribed();`,
    to: ``,
    test: TEST,
    name: '%s',
  },
  {
    protects: 'the slot of a short recording that was not committed becomes free',
    file: 'apps/processor/src/hand-over/stage-hand-over-runner.ts',
    change: 'it stays taken',
    from: `else release?.();`,
    to: ``,
    test: FAILURES_TEST,
    name: 'fails before it is transcribed if its account cannot pay, and its slot becomes free',
  },
  {
    protects: 'a failure of the aggregation of a short recording names aggregation',
    file: 'apps/processor/src/hand-over/stage-hand-over-runner.ts',
    change: 'the chunk fails',
    from: `      signal.throwIfAborted();
`,
    to: `      throw error;
`,
    test: FAILURES_TEST,
    name: 'keeps its words after a failure of aggregation, which is then queued and named by a failure',
  },
  {
    protects: 'a closing process starts no short recording',
    file: 'apps/processor/src/hand-over/stage-hand-over-runner.ts',
    change: 'it does',
    from: `this.isClosing ? null : `,
    to: ``,
    test: FAILURES_TEST,
    name: 'is queued by a process that is closing',
  },
  {
    protects: 'a closing process releases its short recordings',
    file: 'apps/processor/src/hand-over/stage-hand-over-runner.ts',
    change: 'they are not stopped',
    from: `    this.stop.abort(new Error('the consumer is closing'));
`,
    to: ``,
    test: FAILURES_TEST,
    name: 'is released at a shutdown, without a counted attempt',
  },
  {
    protects: 'a worker that lost its lease overwrites no transcript',
    file: 'libs/jobs/src/stages/chunk-stage-claim.repository.ts',
    change: 'its fence is that of the next attempt',
    from: `SELECT name, fence, attempts, NULL AS message`,
    to: `SELECT name, 1 AS fence, attempts, NULL AS message`,
    test: FAILURES_TEST,
    name: 'is finished by another process when the first one loses its lease, which then changes nothing',
  },
  {
    protects: 'messages wait for a slot',
    file: 'apps/processor/src/queues/stage-processors.ts',
    change: 'they claim at once',
    from: `const release =
      this.slots.tryTake() ??
      (await this.runner.waitBeforeClaim((stop) => this.slots.take(stop), shutdown as AbortSignal));`,
    to: `const release = () => undefined;`,
    test: 'apps/processor/src/queues/stage-processors.test.ts',
    name: 'claims a chunk once it has a slot, and frees the slot afterwards',
  },
];
