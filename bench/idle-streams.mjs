import { readFile } from 'node:fs/promises';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { EventWriter } from './idle-streams/make-events.mjs';
import { insertOpenJobs } from './idle-streams/insert-open-jobs.mjs';
import { readProcessTimes } from './lib/process-times.mjs';
import { createBenchAccounts, startApi, startProgram, startServer } from './lib/programs.mjs';
import { withBenchDatabase } from './lib/bench-environment.mjs';
import { runInterleaved, median, medianRatio } from './lib/statistics.mjs';

const BASELINE = new URL('baseline/streams.mjs', import.meta.url);
const STREAM_CLIENT = new URL('idle-streams/stream-latency-client.mjs', import.meta.url);
const MEMORY_REPORT_ARGS = [
  '--expose-gc',
  `--import=${new URL('idle-streams/report-memory.mjs', import.meta.url).href}`,
];

const ACCOUNTS = 20;
const FULL = { streams: 10_000, rounds: 5, events: 2_000 };
const QUICK = { streams: 2_000, rounds: 2, events: 1_000 };
const PER_SECOND = 1_000;
/** Streams that are opened first, to warm up the program. */
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
  const { rounds, events, ...size } = quick ? QUICK : FULL;
  const streams = Math.min(size.streams, (await readOpenFileLimit()) - OTHER_FILES);
  const measured = await withBenchDatabase(async (environment) => {
    const accounts = await createBenchAccounts(environment, ACCOUNTS);
    const jobsPerAccount = Math.ceil((2 * (streams + WARM_UP)) / ACCOUNTS);
    const jobs = await insertOpenJobs(environment.databaseUrl, accounts, jobsPerAccount);
    const sides = {};
    for (const [name, start] of Object.entries(buildStarters({ ...environment, profile }, streams))) {
      const sideJobs = jobs.splice(0, streams + WARM_UP);
      const client = environment.stopAfterwards(await startProgram(STREAM_CLIENT, environment));
      sides[name] = await openStreams(environment.stopAfterwards(await start()), client, sideJobs);
      printProgress(`  ${name}: ${streams} streams are open`);
    }
    const eventWriter = new EventWriter(environment.databaseUrl);
    try {
      const { ours, baseline } = sides;
      const measuredSides = {
        ours: () => measureEventRound(ours, eventWriter, events),
        baseline: () => measureEventRound(baseline, eventWriter, events),
      };
      await runInterleaved(1, measuredSides);
      const latency = await runInterleaved(rounds, measuredSides);
      return { memory: { ours: ours.memory, baseline: baseline.memory }, latency };
    } finally {
      await eventWriter.close();
    }
  });
  const setting = `${streams} streams of one API process and as many of node's http; ${rounds} rounds of ${events} events, ${PER_SECOND} a second.`;
  return { name: 'idle-streams', setting, findings: buildFindings(measured), rounds: measured };
}

/** @param {import('./lib/programs.mjs').ProgramEnvironment & { profile: string | null }} where @param {number} streams */
function buildStarters(where, streams) {
  const poolSize = String(streams + WARM_UP);
  const env = { MAX_CONCURRENT_STREAMS: poolSize, MAX_CONCURRENT_STREAMS_PER_ACCOUNT: poolSize };
  return {
    ours: () => startApi({ ...where, env, execArgv: MEMORY_REPORT_ARGS }),
    baseline: () => startServer(BASELINE, where, { execArgv: MEMORY_REPORT_ARGS }),
  };
}

/** The hard limit, to which Node raises its soft limit. */
async function readOpenFileLimit() {
  const limits = await readFile('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
}

/**
 * Opens one stream per job. The first ones warm up the program and are not counted.
 *
 * @param {import('./lib/programs.mjs').Server} server
 * @param {import('./lib/programs.mjs').Program} client
 * @param {{ id: string, apiKey: string }[]} jobs
 */
async function openStreams(server, client, jobs) {
  const port = Number(new URL(server.origin).port);
  await client.request({ open: jobs.slice(0, WARM_UP), port });
  const before = await server.request('memory');
  await client.request({ open: jobs.slice(WARM_UP), port });
  const after = await server.request('memory');
  const perStreamKibibytes = (of) => (after[of] - before[of]) / (jobs.length - WARM_UP) / KIBIBYTE;
  const memory = { heap: perStreamKibibytes('heapUsed'), resident: perStreamKibibytes('rss'), before, after };
  return { pid: server.pid, jobs: jobs.map(({ id }) => id), client, memory };
}

async function measureEventRound({ pid, jobs, client }, eventWriter, count) {
  const from = Math.floor(Math.random() * jobs.length);
  const chosen = Array.from({ length: count }, (_, index) => jobs[(from + index * 7919) % jobs.length]);
  const before = readProcessTimes(pid).own;
  const [written, { times }] = await Promise.all([
    eventWriter.writeEvents(chosen, PER_SECOND),
    client.request({ collect: count }),
  ]);
  return {
    perSecond: written.perSecond,
    cpuMicros: ((readProcessTimes(pid).own - before) * 1e6) / count,
    middleMs: quantile(times, 0.5),
    slowMs: quantile(times, 0.99),
    slowestMs: quantile(times, 1),
    committedMs: quantile(written.times, 0.99),
  };
}

/** @param {number[]} times @param {number} share */
function quantile(times, share) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function buildFindings({ memory, latency }) {
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
      what: 'an event: CPU time of the server',
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
