import { Client } from 'undici';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { sumCpuSecondsOfTree, readProcessTimes } from './lib/process-times.mjs';
import { sendRequest, runHttpLoad } from './lib/http-load.mjs';
import { getCreationTime, insertEndedJobs } from './list-page/insert-ended-jobs.mjs';
import { createBenchAccounts, startApi } from './lib/programs.mjs';
import { withBenchDatabase } from './lib/bench-environment.mjs';
import { runInterleaved, median, medianRatio } from './lib/statistics.mjs';

const FEW = 1_000;
const PAGE = 50;
const CONNECTIONS = 4;
const FULL = { many: 1_000_000, rounds: 7, milliseconds: 750 };
const QUICK = { many: 100_000, rounds: 3, milliseconds: 500 };

/**
 * A page at several depths of an account with many jobs, compared with the first page of an account with few.
 *
 * @param {{ quick: boolean, profile: string | null }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchListPage({ quick, profile }) {
  const { many, rounds, milliseconds } = quick ? QUICK : FULL;
  const measured = await withBenchDatabase(async (environment) => {
    const [large, small] = await createBenchAccounts(environment, 2);
    await insertEndedJobs(environment.databaseUrl, [
      { accountId: large.accountId, count: many },
      { accountId: small.accountId, count: FEW },
    ]);
    printProgress(`  ${many} jobs are inserted`);
    const api = environment.stopAfterwards(await startApi({ ...environment, profile }));
    const depths = {
      baseline: buildPageRequests(small.apiKey, [0]),
      first: buildPageRequests(large.apiKey, [0]),
      middle: buildPageRequests(large.apiKey, spacePositions(many / 4, (3 * many) / 4, 1_000)),
      end: buildPageRequests(large.apiKey, spacePositions(many - FEW, many, FEW / PAGE)),
    };
    const sides = {};
    for (const [depth, pages] of Object.entries(depths)) {
      await assertPages(api.origin, pages);
      sides[depth] = () =>
        measureRound(api, { next: pages.next, milliseconds, postmaster: environment.postmaster });
    }
    await runInterleaved(1, sides);
    return runInterleaved(rounds, sides);
  });
  const setting = `Pages of ${PAGE} of an account of ${many} jobs against the first one of an account of ${FEW}; ${CONNECTIONS} connections, medians of ${rounds} rounds of ${milliseconds / 1000} s.`;
  return { name: 'list-page', setting, findings: buildFindings(measured, many), rounds: measured };
}

/** Evenly spaced positions, each the first of a page. */
function spacePositions(from, to, count) {
  return Array.from({ length: count }, (_, index) => Math.floor(from + (index * (to - from)) / count));
}

/** Cycles through requests of the pages at these positions. */
function buildPageRequests(key, positions) {
  let count = 0;
  const request = (position) => ({
    method: 'GET',
    path: `/api/v1/jobs${position === 0 ? '' : `?before=${getCreationTime(position - 1)}`}`,
    headers: { 'x-api-key': key },
  });
  const requests = positions.map(request);
  return { positions, requests, next: () => requests[count++ % requests.length] };
}

/** Checks that the first and the last page contain the expected jobs. */
async function assertPages(origin, { positions, requests }) {
  const client = new Client(origin);
  try {
    for (const at of [0, positions.length - 1]) {
      const { jobs } = JSON.parse(await sendRequest(client, requests[at]));
      if (jobs.length !== PAGE || jobs[0].created_at !== getCreationTime(positions[at]))
        throw new Error(`${requests[at].path} returned ${jobs.length} jobs from ${jobs[0]?.created_at}`);
    }
  } finally {
    await client.close();
  }
}

async function measureRound({ origin, pid }, { next, milliseconds, postmaster }) {
  const readCpuSeconds = () => readProcessTimes(pid).own + sumCpuSecondsOfTree(postmaster);
  const before = readCpuSeconds();
  const load = await runHttpLoad({ origin, connections: CONNECTIONS, milliseconds, next });
  return {
    ...load,
    microseconds: 1e6 / load.perSecond,
    cpuMicros: ((readCpuSeconds() - before) * 1e6) / load.requests,
  };
}

function buildFindings({ baseline, ...depths }, many) {
  const names = { first: 'the first', middle: 'in the middle', end: 'at the far end' };
  const buildFinding = (depth, what, value, target) => ({
    what: `a page of ${many.toLocaleString('en')} jobs, ${names[depth]}: ${what}`,
    ours: `${median(depths[depth].map(value)).toFixed(0)} µs`,
    baseline: `${median(baseline.map(value)).toFixed(0)} µs`,
    ...{ value: medianRatio(depths[depth], baseline, value), unit: '', target, bound: 'at most' },
  });
  return Object.keys(names).flatMap((depth) => [
    buildFinding(depth, 'time', ({ microseconds }) => microseconds, 1.5),
    buildFinding(depth, 'CPU time', ({ cpuMicros }) => cpuMicros, null),
  ]);
}
