import { Client } from 'undici';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { sumCpuSecondsOfTree, readProcessTimes } from './lib/process-times.mjs';
import { sendRequest, runHttpLoad } from './lib/http-load.mjs';
import { createBenchAccounts, startApi, startServer } from './lib/programs.mjs';
import { withBenchDatabase } from './lib/bench-environment.mjs';
import { runInterleaved, median, medianRatio } from './lib/statistics.mjs';

const BASELINE = new URL('baseline/server.mjs', import.meta.url);
const CONNECTIONS = 16;
const JOBS_PER_KEY = 20;
const FULL = { rounds: 5, milliseconds: 3_000 };
const QUICK = { rounds: 3, milliseconds: 1_500 };
const WARM_UP_MS = 1_500;
/** A fast machine creates more jobs than an account may have open. */
const QUOTAS = {
  MAX_PENDING_UPLOADS_PER_ACCOUNT: '1000000000',
  MAX_PENDING_BYTES_PER_ACCOUNT: '1000000GiB',
};

/**
 * Two routes of the API, compared with a plain server on the same database. One account per connection.
 *
 * @param {{ quick: boolean, profile: string | null }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchHttp({ quick, profile }) {
  const { rounds, milliseconds } = quick ? QUICK : FULL;
  const measured = await withBenchDatabase(async (environment) => {
    const { postmaster, stopAfterwards } = environment;
    const keys = (await createBenchAccounts(environment, CONNECTIONS)).map(({ apiKey }) => apiKey);
    const servers = {
      baseline: stopAfterwards(await startServer(BASELINE, environment)),
      ours: stopAfterwards(await startApi({ ...environment, profile, env: QUOTAS })),
      counting: stopAfterwards(await startApi({ ...environment, countRequests: true, env: QUOTAS })),
    };
    const routes = {
      get: buildGetRequests(keys, await createJobs(servers.ours.origin, keys)),
      post: buildPostRequests(keys),
    };
    const found = {};
    for (const [route, next] of Object.entries(routes)) {
      const sides = (time) =>
        mapValues(servers, (server) => () => measureRound(server, time, next, postmaster));
      await runInterleaved(1, sides(WARM_UP_MS));
      found[route] = await runInterleaved(rounds, sides(milliseconds));
      printProgress(`  ${route} is measured`);
    }
    return found;
  });
  return {
    name: 'http',
    setting: `${CONNECTIONS} connections, one account each; medians of ${rounds} rounds of ${milliseconds / 1000} s.`,
    findings: [
      ...buildFindings('GET a job', measured.get, { plain: 0.8, counted: 0.65 }),
      ...buildFindings('create', measured.post, { plain: 0.7, counted: 0.6 }),
    ],
    rounds: measured,
  };
}

/** @template A, B @param {Record<string, A>} record @param {(value: A) => B} change @returns {Record<string, B>} */
function mapValues(record, change) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

/**
 * @param {{ origin: string, pid: number }} server @param {number} milliseconds
 * @param {(connection: number) => import('./lib/http-load.mjs').Request} next @param {number} postmaster pid
 */
async function measureRound({ origin, pid }, milliseconds, next, postmaster) {
  const before = { server: readProcessTimes(pid), database: sumCpuSecondsOfTree(postmaster) };
  const load = await runHttpLoad({ origin, connections: CONNECTIONS, milliseconds, next });
  const server = readProcessTimes(pid).own - before.server.own;
  const database = sumCpuSecondsOfTree(postmaster) - before.database;
  const toMicrosPerRequest = (seconds) => (seconds * 1e6) / load.requests;
  return { ...load, serverMicros: toMicrosPerRequest(server), databaseMicros: toMicrosPerRequest(database) };
}

/** @param {string[]} keys */
function buildPostRequests(keys) {
  const body = JSON.stringify({ file_size: 1_000_000, output_type: 'json' });
  return (connection) => ({
    method: 'POST',
    path: '/api/v1/upload',
    headers: { 'x-api-key': keys[connection], 'content-type': 'application/json' },
    body,
  });
}

/** @param {string[]} keys @param {string[][]} jobs of each key */
function buildGetRequests(keys, jobs) {
  let count = 0;
  return (connection) => ({
    method: 'GET',
    path: `/api/v1/jobs/${jobs[connection][count++ % JOBS_PER_KEY]}`,
    headers: { 'x-api-key': keys[connection] },
  });
}

/** @param {string} origin @param {string[]} keys @returns {Promise<string[][]>} ids, by key */
async function createJobs(origin, keys) {
  const client = new Client(origin);
  const post = buildPostRequests(keys);
  const jobs = [];
  for (const connection of keys.keys()) {
    const jobIds = [];
    while (jobIds.length < JOBS_PER_KEY)
      jobIds.push(JSON.parse(await sendRequest(client, post(connection))).job_id);
    jobs.push(jobIds);
  }
  await client.close();
  return jobs;
}

function buildFindings(what, { ours, counting, baseline }, targets) {
  const rate = ({ perSecond }) => perSecond;
  const server = ({ serverMicros }) => serverMicros;
  const formatBoth = (value, unit, side = ours) => ({
    ours: `${median(side.map(value)).toFixed(0)}${unit}`,
    baseline: `${median(baseline.map(value)).toFixed(0)}${unit}`,
  });
  return [
    {
      what: `${what}: rate`,
      ...formatBoth(rate, '/s'),
      ...{ value: medianRatio(ours, baseline, rate), unit: '', target: targets.plain, bound: 'at least' },
    },
    {
      what: `${what}: rate with requests counted per key`,
      ...formatBoth(rate, '/s', counting),
      ...{
        value: medianRatio(counting, baseline, rate),
        unit: '',
        target: targets.counted,
        bound: 'at least',
      },
    },
    {
      what: `${what}: CPU time of the server`,
      ...formatBoth(server, ' µs'),
      ...{ value: medianRatio(ours, baseline, server), unit: '', target: null },
    },
    {
      what: `${what}: CPU time of the database`,
      ...formatBoth(({ databaseMicros }) => databaseMicros, ' µs'),
      ...{
        value: medianRatio(ours, baseline, ({ databaseMicros }) => databaseMicros),
        unit: '',
        target: null,
      },
    },
  ];
}
