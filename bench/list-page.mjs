import { Client } from 'undici';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { sumCpuSecondsOfTree, readProcessTimes } from './lib/process-times.mjs';
import { sendRequest, runHttpLoad } from './lib/http-load.mjs';
import { createdAtOfJob, insertFinishedJobs } from './list-page/insert-finished-jobs.mjs';
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
    await insertFinishedJobs(environment.databaseUrl, [
      { accountId: large.accountId, count: many },
      { accountId: small.accountId, count: FEW },
    ]);
    printProgress(`  ${many} jobs are there`);
    const api = environment.stopAfterwards(await startApi({ ...environment, profile }));
    const depths = {
      baseline: pagesOf(small.apiKey, [0]),
      first: pagesOf(large.apiKey, [0]),
      middle: pagesOf(large.apiKey, places(many / 4, (3 * many) / 4, 1_000)),
      end: pagesOf(large.apiKey, places(many - FEW, many, FEW / PAGE)),
    };
    const sides = {};
    for (const [depth, pages] of Object.entries(depths)) {
      await checkPages(api.origin, pages);
      sides[depth] = () => round(api, { next: pages.next, milliseconds, postmaster: environment.postmaster });
    }
    await runInterleaved(1, sides);
    return runInterleaved(rounds, sides);
  });
  const setting = `Pages of ${PAGE} of an account of ${many} jobs against the first one of an account of ${FEW}; ${CONNECTIONS} connections, medians of ${rounds} rounds of ${milliseconds / 1000} s.`;
  return { name: 'list-page', setting, findings: findings(measured, many), rounds: measured };
}

/** Evenly spaced positions, each the first of a page. */
function places(from, to, count) {
  return Array.from({ length: count }, (_, index) => Math.floor(from + (index * (to - from)) / count));
}

/** Requests the pages at these positions repeatedly. */
function pagesOf(key, begin) {
  let count = 0;
  const request = (place) => ({
    method: 'GET',
    path: `/api/v1/jobs${place === 0 ? '' : `?before=${createdAtOfJob(place - 1)}`}`,
    headers: { 'x-api-key': key },
  });
  const requests = begin.map(request);
  return { begin, requests, next: () => requests[count++ % requests.length] };
}

/** Checks that the first and the last page contain the expected jobs. */
async function checkPages(origin, { begin, requests }) {
  const client = new Client(origin);
  try {
    for (const at of [0, begin.length - 1]) {
      const { jobs } = JSON.parse(await sendRequest(client, requests[at]));
      if (jobs.length !== PAGE || jobs[0].created_at !== createdAtOfJob(begin[at]))
        throw new Error(`${requests[at].path} gave ${jobs.length} jobs from ${jobs[0]?.created_at}`);
    }
  } finally {
    await client.close();
  }
}

async function round({ origin, pid }, { next, milliseconds, postmaster }) {
  const used = () => readProcessTimes(pid).own + sumCpuSecondsOfTree(postmaster);
  const before = used();
  const answered = await runHttpLoad({ origin, connections: CONNECTIONS, milliseconds, next });
  return {
    ...answered,
    microseconds: 1e6 / answered.perSecond,
    cpuMicros: ((used() - before) * 1e6) / answered.requests,
  };
}

function findings({ baseline, ...depths }, many) {
  const names = { first: 'the first', middle: 'in the middle', end: 'at the far end' };
  const line = (depth, what, of, target) => ({
    what: `a page of ${many.toLocaleString('en')} jobs, ${names[depth]}: ${what}`,
    ours: `${median(depths[depth].map(of)).toFixed(0)} µs`,
    baseline: `${median(baseline.map(of)).toFixed(0)} µs`,
    ...{ value: medianRatio(depths[depth], baseline, of), unit: '', target, bound: 'at most' },
  });
  return Object.keys(names).flatMap((depth) => [
    line(depth, 'time', ({ microseconds }) => microseconds, 1.5),
    line(depth, 'processor time', ({ cpuMicros }) => cpuMicros, null),
  ]);
}
