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
const ASK_EVERY_MS = 10;
const MAX_BATCH_WAIT_MS = 60_000;

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
      measured.empty.push(await toFirstJob(dataDir));
      measured.used.push(await toFirstJob(dataDir));
    }
  });
  return {
    name: 'start',
    setting: `The built service with its embedded parts, from its start to the answer to the first create; medians of ${rounds} rounds.`,
    findings: [
      ...findings('a new data folder', measured.empty),
      ...findings('a data folder in use', measured.used),
    ],
    rounds: measured,
  };
}

/** @param {string} dataDir */
async function toFirstJob(dataDir) {
  const port = await findFreePort();
  const began = performance.now();
  const service = await startService({ dataDir, port });
  try {
    await firstJob(service, { port, dataDir, deadline: began + MAX_BATCH_WAIT_MS });
    const seconds = (performance.now() - began) / 1000;
    const cpuSeconds = sumCpuSecondsOfTree(service.child.pid);
    printProgress(`  ${seconds.toFixed(2)} s`);
    const supervisor = JSON.parse(await readFile(join(dataDir, 'postgres', 'keeper.json'), 'utf8'));
    await stopService(service);
    await databaseGone(supervisor.pid);
    return { seconds, cpuSeconds };
  } finally {
    await stopService(service);
  }
}

/** Waits for the end of the supervisor, so that the next start does not reuse it. @param {number} supervisor pid */
async function databaseGone(supervisor) {
  const deadline = performance.now() + MAX_BATCH_WAIT_MS;
  while (readProcessTimes(supervisor)) {
    if (performance.now() > deadline) throw new Error('The database does not end.');
    await pause(ASK_EVERY_MS);
  }
}

/** Retries like a client until the service responds; reads the key from its file. */
async function firstJob({ state, logFile }, { port, dataDir, deadline }) {
  const address = `http://127.0.0.1:${port}/api/v1/upload`;
  const body = JSON.stringify({ file_size: 1_000_000 });
  while (performance.now() < deadline && !state.ended) {
    const key = await readFile(join(dataDir, 'dev-api-key'), 'utf8').catch(() => '');
    const headers = { 'x-api-key': key.trim(), 'content-type': 'application/json' };
    const answer =
      key === '' ? undefined : await fetch(address, { method: 'POST', headers, body }).catch(() => undefined);
    if (answer?.ok) return;
    await pause(ASK_EVERY_MS);
  }
  throw new UserFacingError(`The service accepted no job: ${await readFile(logFile, 'utf8')}`);
}

function findings(what, rounds) {
  const seconds = median(rounds.map((round) => round.seconds));
  const cpuSeconds = median(rounds.map((round) => round.cpuSeconds));
  return [
    {
      what: `start with ${what}: time to the first job`,
      ...{ ours: `${seconds.toFixed(2)} s`, baseline: '' },
      ...{ value: seconds, unit: ' s', target: 4, bound: 'at most' },
    },
    {
      what: `start with ${what}: processor time until then`,
      ...{ ours: `${cpuSeconds.toFixed(2)} s`, baseline: '' },
      ...{ value: cpuSeconds, unit: ' s', target: null },
    },
  ];
}
