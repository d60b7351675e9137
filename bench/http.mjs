import { Client } from 'undici';
import { say } from '../scripts/lib/trouble.mjs';
import { secondsOfTree, timesOf } from './lib/cpu.mjs';
import { exchange, load } from './lib/load.mjs';
import { openAccounts, startApi, startServer } from './lib/programs.mjs';
import { withDatabase } from './lib/scene.mjs';
import { interleaved, median, medianRatio } from './lib/statistics.mjs';

const BASELINE = new URL('baseline/server.mjs', import.meta.url);
const CONNECTIONS = 16;
const JOBS_EACH = 20;
const FULL = { rounds: 5, milliseconds: 3_000 };
const QUICK = { rounds: 3, milliseconds: 1_500 };
const WARM_UP_MS = 1_500;

/**
 * Two routes of the API against a plain server on the same database. One organisation a connection.
 *
 * @param {{ quick: boolean, profile: string | null }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function http({ quick, profile }) {
  const { rounds, milliseconds } = quick ? QUICK : FULL;
  const measured = await withDatabase(async (scene) => {
    const { postmaster, keep } = scene;
    const keys = (await openAccounts(scene, CONNECTIONS)).map(({ apiKey }) => apiKey);
    const servers = {
      baseline: keep(await startServer(BASELINE, scene)),
      ours: keep(await startApi({ ...scene, profile })),
      counting: keep(await startApi({ ...scene, counting: true })),
    };
    const routes = { get: getOf(keys, await makeJobs(servers.ours.origin, keys)), post: postOf(keys) };
    const found = {};
    for (const [route, next] of Object.entries(routes)) {
      const sides = (time) => mapValues(servers, (server) => () => round(server, time, next, postmaster));
      await interleaved(1, sides(WARM_UP_MS));
      found[route] = await interleaved(rounds, sides(milliseconds));
      say(`  ${route} is measured`);
    }
    return found;
  });
  return {
    name: 'http',
    setting: `${CONNECTIONS} connections, an organisation each; medians of ${rounds} rounds of ${milliseconds / 1000} s.`,
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
 * @param {(connection: number) => import('./lib/load.mjs').Request} next @param {number} postmaster pid
 */
async function round({ origin, pid }, milliseconds, next, postmaster) {
  const before = { server: timesOf(pid), database: secondsOfTree(postmaster) };
  const answered = await load({ origin, connections: CONNECTIONS, milliseconds, next });
  const server = timesOf(pid).own - before.server.own;
  const database = secondsOfTree(postmaster) - before.database;
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
    while (own.length < JOBS_EACH) own.push(JSON.parse(await exchange(client, post(connection))).job_id);
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
