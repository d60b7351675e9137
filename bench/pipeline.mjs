import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { sumCpuSecondsOfTree, readProcessTimes } from './lib/process-times.mjs';
import { createBenchAccounts, startApi, startProgram } from './lib/programs.mjs';
import { isRedisInstalled, startRedis } from './lib/redis.mjs';
import { withBenchDatabase } from './lib/bench-environment.mjs';
import { runInterleaved, median, medianRatio } from './lib/statistics.mjs';
import { UploadClients } from './pipeline/upload-clients.mjs';

const PROCESSOR = new URL('pipeline/null-processor.mjs', import.meta.url);
const BASELINE = new URL('baseline/queue.mjs', import.meta.url);
const FULL = { rounds: 3, jobs: 100 };
const QUICK = { rounds: 1, jobs: 60 };
const WARM_UP = 50;
/** CPU times are read in steps of ten milliseconds; the bare queue in Redis takes forty for a hundred jobs. */
const BASELINE_TIMES_MORE = { Postgres: 1, Redis: 10 };
/** A job waits for the commits of Postgres over both queues. The bare queue in Redis waits for none. */
const RATE_TARGETS = { Postgres: 0.5, Redis: 0.3 };

/**
 * Jobs from the completion of their upload to their end, without decoding and recognition, compared with the same number
 * of messages through a bare queue; on Postgres and Redis.
 *
 * @param {{ quick: boolean, profile: string | null }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchPipeline({ quick, profile }) {
  const { rounds, jobs } = quick ? QUICK : FULL;
  const queues = isRedisInstalled() ? ['Postgres', 'Redis'] : ['Postgres'];
  if (queues.length === 1)
    printProgress('  redis-server is not installed: only the queue in Postgres is measured');
  const measured = {};
  for (const queue of queues) {
    measured[queue] = await withBenchDatabase((environment) =>
      measureQueue(environment, { queue, rounds, jobs, profile }),
    );
    printProgress(`  over ${queue}: measured`);
  }
  const setting = `${jobs} jobs of one chunk, against as many of three messages in the bare queue (in Redis ten times as many), completed by 16 concurrent clients, one API and one processor; medians of ${rounds} rounds.`;
  return {
    name: 'pipeline',
    setting,
    findings: Object.entries(measured).flatMap(([queue, sides]) => buildFindings(queue, sides)),
    rounds: measured,
  };
}

/** @param {import('./lib/bench-environment.mjs').BenchEnvironment} environment */
async function measureQueue(environment, { queue, rounds, jobs, profile }) {
  const redis = queue === 'Redis' ? environment.stopAfterwards(await startRedis(environment.folder)) : null;
  const env = redis ? { REDIS_URL: redis.url } : {};
  const [{ apiKey }] = await createBenchAccounts(environment, 1);
  const api = environment.stopAfterwards(await startApi({ ...environment, env, profile }));
  const execArgv = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const processor = environment.stopAfterwards(
    await startProgram(PROCESSOR, environment, { env: { ...env, PORT: new URL(api.origin).port }, execArgv }),
  );
  const baseline = environment.stopAfterwards(await startProgram(BASELINE, environment, { env }));
  const clients = new UploadClients(api.origin, apiKey, environment.databaseUrl);
  const readCpuSeconds = () => ({
    api: readProcessTimes(api.pid).own,
    processor: readProcessTimes(processor.pid).own + readProcessTimes(baseline.pid).own,
    database: sumCpuSecondsOfTree(environment.postmaster) + (redis ? sumCpuSecondsOfTree(redis.pid) : 0),
  });
  const sides = (count) => ({
    ours: async () => {
      const uploaded = await clients.upload(count);
      return measureRound(count, readCpuSeconds, () => clients.complete(uploaded));
    },
    baseline: () => {
      const more = count * BASELINE_TIMES_MORE[queue];
      return measureRound(more, readCpuSeconds, () => baseline.request({ jobs: more }));
    },
  });
  try {
    await runInterleaved(1, sides(WARM_UP));
    return await runInterleaved(rounds, sides(jobs));
  } finally {
    await clients.close();
  }
}

/** @param {number} count @param {() => Record<string, number>} readCpuSeconds @param {() => Promise<unknown>} work */
async function measureRound(count, readCpuSeconds, work) {
  const before = readCpuSeconds();
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = readCpuSeconds();
  const milliseconds = Object.fromEntries(
    Object.keys(after).map((part) => [part, ((after[part] - before[part]) * 1_000) / count]),
  );
  return {
    ...milliseconds,
    perSecond: count / seconds,
    all: milliseconds.api + milliseconds.processor + milliseconds.database,
  };
}

function buildFindings(queue, { ours, baseline }) {
  const rate = ({ perSecond }) => perSecond;
  const formatMedian = (rounds, of, digits, unit) => `${median(rounds.map(of)).toFixed(digits)}${unit}`;
  const toCpuTimeFinding = (part, what) => {
    const of = (each) => each[part];
    return {
      what: `pipeline over ${queue}: CPU time of a job${what}`,
      ours: formatMedian(ours, of, 2, ' ms'),
      // The bare queue has no API.
      baseline: part === 'api' ? '' : formatMedian(baseline, of, 2, ' ms'),
      ...{ value: part === 'api' ? null : medianRatio(ours, baseline, of), unit: '', target: null },
    };
  };
  return [
    {
      what: `pipeline over ${queue}: jobs`,
      ...{ ours: formatMedian(ours, rate, 0, '/s'), baseline: formatMedian(baseline, rate, 0, '/s') },
      ...{
        value: medianRatio(ours, baseline, rate),
        unit: '',
        target: RATE_TARGETS[queue],
        bound: 'at least',
      },
    },
    toCpuTimeFinding('all', ''),
    toCpuTimeFinding('api', ', of the api'),
    toCpuTimeFinding('processor', ', of the processor'),
    toCpuTimeFinding('database', `, of the database${queue === 'Redis' ? ' and Redis' : ''}`),
  ];
}
