import { readFile } from 'node:fs/promises';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { EventMaker } from './idle-streams/make-events.mjs';
import { insertOpenJobs } from './idle-streams/insert-open-jobs.mjs';
import { readProcessTimes } from './lib/process-times.mjs';
import { createBenchAccounts, startApi, startProgram, startServer } from './lib/programs.mjs';
import { withBenchDatabase } from './lib/bench-environment.mjs';
import { runInterleaved, median, medianRatio } from './lib/statistics.mjs';

const BASELINE = new URL('baseline/streams.mjs', import.meta.url);
const STREAM_CLIENT = new URL('idle-streams/stream-latency-client.mjs', import.meta.url);
const TELLS_MEMORY = [
  '--expose-gc',
  `--import=${new URL('idle-streams/report-memory.mjs', import.meta.url).href}`,
];

const ACCOUNTS = 20;
const FULL = { streams: 10_000, rounds: 5, events: 2_000 };
const QUICK = { streams: 2_000, rounds: 2, events: 1_000 };
const PER_SECOND = 1_000;
/** Opened first, to warm the program up. */
const WARM_UP = 200;
/** File descriptors that a program needs besides its streams. */
const OTHER_FILES = 500;
const KIBIBYTE = 1024;

/**
 * Many open event streams of one API process, one per job: their memory, and the latency of an event.
 *
 * @param {{ quick: boolean, profile: string | null }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchIdleStreams({ quick, profile }) {
  const { rounds, events, ...wanted } = quick ? QUICK : FULL;
  const streams = Math.min(wanted.streams, (await openFilesAllowed()) - OTHER_FILES);
  const measured = await withBenchDatabase(async (environment) => {
    const accounts = await createBenchAccounts(environment, ACCOUNTS);
    const ofEach = Math.ceil((2 * (streams + WARM_UP)) / ACCOUNTS);
    const jobs = await insertOpenJobs(environment.databaseUrl, accounts, ofEach);
    const sides = {};
    for (const [name, start] of Object.entries(starts({ ...environment, profile }, streams))) {
      const own = jobs.splice(0, streams + WARM_UP);
      const watch = environment.stopAfterwards(await startProgram(STREAM_CLIENT, environment));
      sides[name] = await openStreams(environment.stopAfterwards(await start()), watch, own);
      printProgress(`  ${name}: ${streams} streams are open`);
    }
    const maker = new EventMaker(environment.databaseUrl);
    try {
      const { ours, baseline } = sides;
      const both = {
        ours: () => eventRound(ours, maker, events),
        baseline: () => eventRound(baseline, maker, events),
      };
      await runInterleaved(1, both);
      const latency = await runInterleaved(rounds, both);
      return { memory: { ours: ours.memory, baseline: baseline.memory }, latency };
    } finally {
      await maker.close();
    }
  });
  const setting = `${streams} streams of one API process and as many of node's http; ${rounds} rounds of ${events} events, ${PER_SECOND} a second.`;
  return { name: 'idle-streams', setting, findings: findings(measured), rounds: measured };
}

/** @param {import('./lib/programs.mjs').Where & { profile: string | null }} where @param {number} streams */
function starts(where, streams) {
  const places = String(streams + WARM_UP);
  const more = { STREAM_POOL_SIZE: places, STREAM_POOL_PER_KEY: places };
  return {
    ours: () => startApi({ ...where, more, execArgv: TELLS_MEMORY }),
    baseline: () => startServer(BASELINE, where, { execArgv: TELLS_MEMORY }),
  };
}

/** The hard limit, to which Node raises its soft limit. */
async function openFilesAllowed() {
  const limits = await readFile('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
}

/**
 * Opens one stream per job; the first ones warm up and are not counted.
 *
 * @param {import('./lib/programs.mjs').Server} server
 * @param {import('./lib/programs.mjs').Program} watch
 * @param {{ id: string, apiKey: string }[]} jobs
 */
async function openStreams(server, watch, jobs) {
  const port = Number(new URL(server.origin).port);
  await watch.ask({ open: jobs.slice(0, WARM_UP), port });
  const before = await server.ask('memory');
  await watch.ask({ open: jobs.slice(WARM_UP), port });
  const after = await server.ask('memory');
  const each = (of) => (after[of] - before[of]) / (jobs.length - WARM_UP) / KIBIBYTE;
  const memory = { heap: each('heapUsed'), resident: each('rss'), before, after };
  return { pid: server.pid, jobs: jobs.map(({ id }) => id), watch, memory };
}

async function eventRound({ pid, jobs, watch }, maker, count) {
  const from = Math.floor(Math.random() * jobs.length);
  const chosen = Array.from({ length: count }, (_, index) => jobs[(from + index * 7919) % jobs.length]);
  const before = readProcessTimes(pid).own;
  const [written, { times }] = await Promise.all([
    maker.make(chosen, PER_SECOND),
    watch.ask({ collect: count }),
  ]);
  return {
    perSecond: written.perSecond,
    cpuMicros: ((readProcessTimes(pid).own - before) * 1e6) / count,
    middleMs: at(times, 0.5),
    slowMs: at(times, 0.99),
    slowestMs: at(times, 1),
    committedMs: at(written.times, 0.99),
  };
}

/** @param {number[]} times @param {number} share */
function at(times, share) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function findings({ memory, latency }) {
  const kibibytes = (of) => ({
    ours: `${memory.ours[of].toFixed(1)} KiB`,
    baseline: `${memory.baseline[of].toFixed(1)} KiB`,
    ...{ value: memory.ours[of], unit: ' KiB' },
  });
  const milliseconds = (of) => ({
    ours: `${median(latency.ours.map(of)).toFixed(1)} ms`,
    baseline: `${median(latency.baseline.map(of)).toFixed(1)} ms`,
  });
  const slow = ({ slowMs }) => slowMs;
  const middle = ({ middleMs }) => middleMs;
  const committed = ({ committedMs }) => committedMs;
  const rate = ({ perSecond }) => perSecond;
  const cpu = ({ cpuMicros }) => cpuMicros;
  return [
    { what: 'an idle stream: heap', ...kibibytes('heap'), target: 16, bound: 'at most' },
    { what: 'an idle stream: resident memory', ...kibibytes('resident'), target: null },
    {
      what: 'event to client: 99th percentile',
      ...milliseconds(slow),
      ...{ value: median(latency.ours.map(slow)), unit: ' ms', target: 50, bound: 'at most' },
    },
    {
      what: 'event to client: median',
      ...milliseconds(middle),
      ...{ value: medianRatio(latency.ours, latency.baseline, middle), unit: '', target: null },
    },
    {
      what: 'event to commit: 99th percentile',
      ...milliseconds(committed),
      ...{ value: median(latency.ours.map(committed)), unit: ' ms', target: null },
    },
    {
      what: 'an event: processor time of the server',
      ours: `${median(latency.ours.map(cpu)).toFixed(0)} µs`,
      baseline: `${median(latency.baseline.map(cpu)).toFixed(0)} µs`,
      ...{ value: medianRatio(latency.ours, latency.baseline, cpu), unit: '', target: null },
    },
    {
      what: 'events made',
      ours: `${median(latency.ours.map(rate)).toFixed(0)}/s`,
      baseline: `${median(latency.baseline.map(rate)).toFixed(0)}/s`,
      ...{ value: null, unit: '', target: null },
    },
  ];
}
