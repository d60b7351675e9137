import { availableParallelism } from 'node:os';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { estimateJobOverheadCpuByComponent } from '../dist/apps/admin/src/capacity/estimate-capacity.js';
import { computeMaxConnectionsPerProgram } from '../dist/apps/admin/src/doctor/connection-checks.js';
import { loadConfig } from '../dist/libs/config/src/index.js';
import { ConnectionCounter } from './lib/connection-counter.mjs';
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
const QUEUE_NAMES = { postgres: 'Postgres', redis: 'Redis' };
const COMPONENT_NAMES = { processor: 'processor', database: 'database', api: 'API' };
/** Of the CPU time of a job with many chunks: an installation has that much to spare. */
const MAX_UNDERESTIMATE = 1.5;
/** The model has the figures of one chunk and of ten, so that thirty are a number that it was not made from. */
const SOME_CHUNKS = 10;
const MANY_CHUNKS = 30;

/**
 * Measures the figures of jobs for the model of `capacity`, and checks the model against the real service with engines that answer
 * at once: how much more a job with many chunks costs than one with one chunk, what a second processor changes, and how many
 * connections the programs open. What is checked are ratios of one run, so the speed of the machine does not count.
 *
 * @param {{ quick: boolean, profile: string | null }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchCapacity({ quick }) {
  const { rounds, jobs } = quick ? QUICK : FULL;
  const queues = isRedisInstalled() ? ['postgres', 'redis'] : ['postgres'];
  const results = [];
  for (const queue of queues) {
    const sides = await withBenchDatabase((environment) => measure(environment, { queue, rounds, jobs }));
    printProgress(`  over ${QUEUE_NAMES[queue]}: measured`);
    results.push({ queue, sides });
  }
  return {
    name: 'capacity',
    setting: `${jobs} jobs with engines that answer at once, predicted by the model of \`capacity\` and seen; medians of ${rounds} rounds.`,
    findings: results.flatMap(({ queue, sides }) => buildFindings(queue, sides)),
    rounds: results,
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
      api: readProcessTimes(api.pid).own,
      processor: processors.reduce((sum, { pid }) => sum + readProcessTimes(pid).own, 0),
      database: sumCpuSecondsOfTree(environment.postmaster) + (redis ? sumCpuSecondsOfTree(redis.pid) : 0),
    });
    const connections = await ConnectionCounter.start(environment.databaseUrl);
    const before = readCpuSeconds();
    const startedAt = performance.now();
    await clients.complete(uploaded);
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = readCpuSeconds();
    return {
      perSecond: count / seconds,
      connections: await connections.stop(),
      api: (after.api - before.api) / count,
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
      some: () => run(SOME_CHUNKS, Math.ceil(jobs / 4), [processor]),
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

/** The model counts the most that programs may open, so more than it says is an error. */
function compareConnections(what, queue, programs, sides) {
  const seen = Math.max(...sides.map(({ connections }) => connections));
  // The programs have the environment of this one.
  const { poolSize } = loadConfig().database;
  const predicted = programs * computeMaxConnectionsPerProgram(poolSize, queue === 'postgres');
  return {
    what: `${what}: seen, predicted at most`,
    ...{ ours: String(seen), baseline: String(predicted) },
    ...{ value: seen / predicted, unit: '', target: 1, bound: 'at most' },
  };
}

function buildFindings(queue, { one, some, many, two }) {
  const over = `over ${QUEUE_NAMES[queue]}`;
  const [few, more] = [
    estimateJobOverheadCpuByComponent(queue, 1),
    estimateJobOverheadCpuByComponent(queue, MANY_CHUNKS),
  ];
  const compare = (what, predicted, numerators, denominators, of, target = null) => {
    const seen = medianRatio(numerators, denominators, of);
    return {
      what: `${over}, ${what}: seen, predicted`,
      ...{ ours: seen.toFixed(2), baseline: predicted.toFixed(2) },
      ...{ value: seen / predicted, unit: '', target, bound: 'at most' },
    };
  };
  const components = Object.keys(COMPONENT_NAMES);
  const chunks = `a job of ${MANY_CHUNKS} chunks against one of 1`;
  return [
    ...components.flatMap((component) => listMeasuredFigures(over, component, one, some)),
    ...components.map((component) =>
      compare(
        `${chunks}, CPU time of the ${COMPONENT_NAMES[component]}`,
        more[component] / few[component],
        ...[many, one, (side) => side[component], MAX_UNDERESTIMATE],
      ),
    ),
    compareConnections(`${over}, an API and a processor, connections`, queue, 2, [...one, ...many]),
    compareConnections(`${over}, an API and two processors, connections`, queue, 3, two),
    compare(
      'two processors against one, CPU time of a job',
      ...[1, two, one, (side) => side.processor + side.database],
    ),
    compare(
      'two processors against one, jobs a second',
      predictRate(few, 2) / predictRate(few, 1),
      ...[two, one, (side) => side.perSecond],
    ),
  ];
}

/** The figures of the model that only this measurement has: the cost of a job of one chunk, and of each further chunk. */
function listMeasuredFigures(over, component, one, some) {
  const costOf = (sides) => median(sides.map((side) => side[component])) * 1_000;
  const figures = {
    'a job of 1 chunk': costOf(one),
    'each further chunk': (costOf(some) - costOf(one)) / (SOME_CHUNKS - 1),
  };
  return Object.entries(figures).map(([what, milliseconds]) => ({
    what: `${over}, ${what}: CPU time of the ${COMPONENT_NAMES[component]}`,
    ...{ ours: `${milliseconds.toFixed(2)} ms`, baseline: '' },
    ...{ value: null, unit: '', target: null },
  }));
}
