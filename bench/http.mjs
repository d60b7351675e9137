import { Client } from 'undici';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { sumCpuSecondsOfTree, readProcessTimes } from './lib/process-times.mjs';
import { sendRequest, runHttpLoad } from './lib/http-load.mjs';
import { createBenchAccounts, startApi, startServer } from './lib/programs.mjs';
import { withBenchDatabase } from './lib/bench-environment.mjs';
import { runInterleaved, median, medianRatio } from './lib/statistics.mjs';

const BASELINE = new URL('baseline/server.mjs', import.meta.url);
const CONNECTIONS = 16;
const JOBS_EACH = 20;
const FULL = { rounds: 5, milliseconds: 3_000 };
const QUICK = { rounds: 3, milliseconds: 1_500 };
const WARM_UP_MS = 1_500;

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
      ours: stopAfterwards(await startApi({ ...environment, profile })),
      counting: stopAfterwards(await startApi({ ...environment, counting: true })),
    };
    const routes = { get: getOf(keys, await makeJobs(servers.ours.origin, keys)), post: postOf(keys) };
    const found = {};
    for (const [route, next] of Object.entries(routes)) {
      const sides = (time) => mapValues(servers, (server) => () => round(server, time, next, postmaster));
      await runInterleaved(1, sides(WARM_UP_MS));
      found[route] = await runInterleaved(rounds, sides(milliseconds));
      printProgress(`  ${route} is measured`);
    }
    return found;
  });
  return {
    name: 'http',
    setting: `${CONNECTIONS} connections, one account each; medians of ${rounds} rounds of ${milliseconds / 1000} s.`,
    findings: [...findings('GET a job', measured.get, 0.8), ...findings('create', measured.post, 0.7)],
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
async function round({ origin, pid }, milliseconds, next, postmaster) {
  const before = { server: readProcessTimes(pid), database: sumCpuSecondsOfTree(postmaster) };
  const answered = await runHttpLoad({ origin, connections: CONNECTIONS, milliseconds, next });
  const server = readProcessTimes(pid).own - before.server.own;
  const database = sumCpuSecondsOfTree(postmaster) - before.database;
  const micros = (seconds) => (seconds * 1e6) / answered.requests;
  return { ...answered, serverMicros: micros(server), databaseMicros: micros(database) };
}

/** @param {string[]} keys */
function postOf(keys) {
  const body = JSON.stringify({ file_size: 1_000_000, output_type: 'json' });
  return (connection) => ({
    method: 'POST',
    path: '/api/v1/upload',
    headers: { 'x-api-key': keys[connection], 'content-type': 'application/json' },
    body,
  });
}

/** @param {string[]} keys @param {string[][]} jobs of each key */
function getOf(keys, jobs) {
  let count = 0;
  return (connection) => ({
    method: 'GET',
    path: `/api/v1/jobs/${jobs[connection][count++ % JOBS_EACH]}`,
    headers: { 'x-api-key': keys[connection] },
  });
}

/** @param {string} origin @param {string[]} keys @returns {Promise<string[][]>} ids, by key */
async function makeJobs(origin, keys) {
  const client = new Client(origin);
  const post = postOf(keys);
  const jobs = [];
  for (const connection of keys.keys()) {
    const own = [];
    while (own.length < JOBS_EACH) own.push(JSON.parse(await sendRequest(client, post(connection))).job_id);
    jobs.push(own);
  }
  await client.close();
  return jobs;
}

function findings(what, { ours, counting, baseline }, target) {
  const rate = ({ perSecond }) => perSecond;
  const server = ({ serverMicros }) => serverMicros;
  const both = (value, unit, side = ours) => ({
    ours: `${median(side.map(value)).toFixed(0)}${unit}`,
    baseline: `${median(baseline.map(value)).toFixed(0)}${unit}`,
  });
  return [
    {
      what: `${what}: rate`,
      ...both(rate, '/s'),
      ...{ value: medianRatio(ours, baseline, rate), unit: '', target, bound: 'at least' },
    },
    {
      what: `${what}: rate with requests counted per key`,
      ...both(rate, '/s', counting),
      ...{ value: medianRatio(counting, baseline, rate), unit: '', target: null },
    },
    {
      what: `${what}: processor time of the server`,
      ...both(server, ' µs'),
      ...{ value: medianRatio(ours, baseline, server), unit: '', target: null },
    },
    {
      what: `${what}: processor time of the database`,
      ...both(({ databaseMicros }) => databaseMicros, ' µs'),
      ...{
        value: medianRatio(ours, baseline, ({ databaseMicros }) => databaseMicros),
        unit: '',
        target: null,
      },
    },
  ];
}
