import { availableParallelism } from 'node:os';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { estimateJobCpuByComponent } from '../dist/apps/admin/src/capacity/estimate-capacity.js';
import { sumCpuSecondsOfTree, readProcessTimes } from './lib/process-times.mjs';
import { createBenchAccounts, startApi, startProgram } from './lib/programs.mjs';
import { isRedisInstalled, startRedis } from './lib/redis.mjs';
import { withBenchDatabase } from './lib/bench-environment.mjs';
import { runInterleaved, median, medianRatio } from './lib/statistics.mjs';
import { UploadClients } from './pipeline/upload-clients.mjs';

const PROCESSOR = new URL('pipeline/null-processor.mjs', import.meta.url);
const FULL = { rounds: 3, jobs: 60 };
const QUICK = { rounds: 1, jobs: 30 };
const WARM_UP = 20;
/** Of the CPU time of a job with many chunks: an installation has that much to spare. */
const MAX_UNDERESTIMATE = 1.5;
/** The model was adjusted with ten chunks, so that this is a number that it was not made from. */
const MANY_CHUNKS = 30;

/**
 * Checks the model of `capacity` against the real service with engines that answer at once: how much more a job with many
 * chunks costs than one with one chunk, and what a second processor changes. Everything is a ratio of one run, so the speed of
 * the machine does not count.
 *
 * @param {{ quick: boolean, profile: string | null }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchCapacity({ quick }) {
  const { rounds, jobs } = quick ? QUICK : FULL;
  const queue = isRedisInstalled() ? 'redis' : 'postgres';
  const sides = await withBenchDatabase((environment) => measure(environment, { queue, rounds, jobs }));
  printProgress(`  over ${queue}: measured`);
  return {
    name: 'capacity',
    setting: `${jobs} jobs with engines that answer at once, queues in ${queue}, predicted by the model of \`capacity\` and seen; medians of ${rounds} rounds.`,
    findings: buildFindings(queue, sides),
    rounds: sides,
  };
}

/**
 * @param {import('./lib/bench-environment.mjs').BenchEnvironment} environment
 * @param {{ queue: string, rounds: number, jobs: number }} options
 */
async function measure(environment, { queue, rounds, jobs }) {
  const redis = queue === 'redis' ? environment.stopAfterwards(await startRedis(environment.folder)) : null;
  const env = redis ? { REDIS_URL: redis.url } : {};
  const [{ apiKey }] = await createBenchAccounts(environment, 1);
  const api = environment.stopAfterwards(await startApi({ ...environment, env }));
  const startProcessor = () =>
    startProgram(PROCESSOR, environment, { env: { ...env, PORT: new URL(api.origin).port } });
  const processor = environment.stopAfterwards(await startProcessor());
  const clients = new UploadClients(api.origin, apiKey, environment.databaseUrl);
  const run = async (chunks, count, processors) => {
    for (const each of processors) await each.request({ chunks });
    const uploaded = await clients.upload(count);
    const readCpuSeconds = () => ({
      processor: processors.reduce((sum, { pid }) => sum + readProcessTimes(pid).own, 0),
      database: sumCpuSecondsOfTree(environment.postmaster) + (redis ? sumCpuSecondsOfTree(redis.pid) : 0),
    });
    const before = readCpuSeconds();
    const startedAt = performance.now();
    await clients.complete(uploaded);
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = readCpuSeconds();
    return {
      perSecond: count / seconds,
      processor: (after.processor - before.processor) / count,
      database: (after.database - before.database) / count,
    };
  };
  const withSecondProcessor = async (work) => {
    const second = await startProcessor();
    try {
      await run(1, WARM_UP, [processor, second]);
      return await work(second);
    } finally {
      await second.stop();
    }
  };
  try {
    await run(1, WARM_UP, [processor]);
    return await runInterleaved(rounds, {
      one: () => run(1, jobs, [processor]),
      many: () => run(MANY_CHUNKS, Math.ceil(jobs / 6), [processor]),
      two: () => withSecondProcessor((second) => run(1, jobs, [processor, second])),
    });
  } finally {
    await clients.close();
  }
}

/** Jobs a second of this machine, up to a factor that ratios do not have. */
function predictRate({ processor, database, api }, processors) {
  return Math.min(processors / processor, availableParallelism() / (processor + database + api));
}

function buildFindings(queue, { one, many, two }) {
  const [few, more] = [estimateJobCpuByComponent(queue, 1), estimateJobCpuByComponent(queue, MANY_CHUNKS)];
  const compare = (what, predicted, numerators, denominators, of, target = null) => {
    const seen = medianRatio(numerators, denominators, of);
    return {
      what: `${what}: seen, predicted`,
      ...{ ours: seen.toFixed(2), baseline: predicted.toFixed(2) },
      ...{ value: seen / predicted, unit: '', target, bound: 'at most' },
    };
  };
  const chunks = `a job of ${MANY_CHUNKS} chunks against one of 1`;
  return [
    compare(
      `${chunks}, CPU time of processors`,
      more.processor / few.processor,
      many,
      one,
      (side) => side.processor,
      MAX_UNDERESTIMATE,
    ),
    compare(
      `${chunks}, CPU time of the database`,
      more.database / few.database,
      many,
      one,
      (side) => side.database,
      MAX_UNDERESTIMATE,
    ),
    compare(
      `${chunks}, jobs a second`,
      predictRate(more, 1) / predictRate(few, 1),
      many,
      one,
      (side) => side.perSecond,
    ),
    compare(
      'two processors against one, CPU time of a job',
      1,
      two,
      one,
      (side) => side.processor + side.database,
    ),
    compare(
      'two processors against one, jobs a second',
      predictRate(few, 2) / predictRate(few, 1),
      two,
      one,
      (side) => side.perSecond,
    ),
    {
      what: 'a job of 1 chunk: CPU time of processor and database',
      ours: `${median(one.map(({ processor, database }) => (processor + database) * 1_000)).toFixed(1)} ms`,
      baseline: `${((few.processor + few.database) * 1_000).toFixed(1)} ms`,
      ...{ value: null, unit: '', target: null },
    },
  ];
}
