import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startService, stopService } from '../scripts/lib/demo/service.mjs';
import { printProgress, UserFacingError } from '../scripts/lib/user-facing-error.mjs';
import { sumCpuSecondsOfTree, readProcessTimes } from './lib/process-times.mjs';
import { findFreePort } from './lib/free-port.mjs';
import { withTemporaryFolder } from './lib/bench-environment.mjs';
import { median } from './lib/statistics.mjs';

const FULL = { rounds: 5 };
const QUICK = { rounds: 2 };
const POLL_INTERVAL_MS = 10;
const TIMEOUT_MS = 60_000;

/**
 * Time from the start of the built service to its first accepted job, with a new and with a used data folder.
 *
 * @param {{ quick: boolean }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchStart({ quick }) {
  const { rounds } = quick ? QUICK : FULL;
  const measured = { empty: [], used: [] };
  await withTemporaryFolder(async (folder) => {
    for (let round = 0; round < rounds; round += 1) {
      const dataDir = join(folder, `round-${round}`);
      await mkdir(dataDir);
      measured.empty.push(await measureStart(dataDir));
      measured.used.push(await measureStart(dataDir));
    }
  });
  return {
    name: 'start',
    setting: `The built service with its embedded dependencies, from its start to the response of the first create; medians of ${rounds} rounds.`,
    findings: [
      ...buildFindings('a new data folder', measured.empty),
      ...buildFindings('a data folder in use', measured.used),
    ],
    rounds: measured,
  };
}

/** @param {string} dataDir */
async function measureStart(dataDir) {
  const port = await findFreePort();
  const startedAt = performance.now();
  const service = await startService({ dataDir, port });
  try {
    await waitForFirstJob(service, { port, dataDir, deadline: startedAt + TIMEOUT_MS });
    const seconds = (performance.now() - startedAt) / 1000;
    const cpuSeconds = sumCpuSecondsOfTree(service.child.pid);
    printProgress(`  ${seconds.toFixed(2)} s`);
    const supervisor = JSON.parse(await readFile(join(dataDir, 'postgres', 'keeper.json'), 'utf8'));
    await stopService(service);
    await waitForExit(supervisor.pid);
    return { seconds, cpuSeconds };
  } finally {
    await stopService(service);
  }
}

/** Waits for the end of the supervisor, so that the next start does not reuse it. @param {number} supervisor pid */
async function waitForExit(supervisor) {
  const deadline = performance.now() + TIMEOUT_MS;
  while (readProcessTimes(supervisor)) {
    if (performance.now() > deadline) throw new Error('The database does not exit.');
    await pause(POLL_INTERVAL_MS);
  }
}

/** Retries like a client until the service responds; reads the key from its file. */
async function waitForFirstJob({ state, logFile }, { port, dataDir, deadline }) {
  const address = `http://127.0.0.1:${port}/api/v1/upload`;
  const body = JSON.stringify({ file_size: 1_000_000 });
  while (performance.now() < deadline && !state.ended) {
    const key = await readFile(join(dataDir, 'dev-api-key'), 'utf8').catch(() => '');
    const headers = { 'x-api-key': key.trim(), 'content-type': 'application/json' };
    const response =
      key === '' ? undefined : await fetch(address, { method: 'POST', headers, body }).catch(() => undefined);
    if (response?.ok) return;
    await pause(POLL_INTERVAL_MS);
  }
  throw new UserFacingError(`The service accepted no job: ${await readFile(logFile, 'utf8')}`);
}

function buildFindings(what, rounds) {
  const seconds = median(rounds.map((round) => round.seconds));
  const cpuSeconds = median(rounds.map((round) => round.cpuSeconds));
  return [
    {
      what: `start with ${what}: time to the first job`,
      ...{ ours: `${seconds.toFixed(2)} s`, baseline: '' },
      ...{ value: seconds, unit: ' s', target: 4, bound: 'at most' },
    },
    {
      what: `start with ${what}: CPU time until then`,
      ...{ ours: `${cpuSeconds.toFixed(2)} s`, baseline: '' },
      ...{ value: cpuSeconds, unit: ' s', target: null },
    },
  ];
}
