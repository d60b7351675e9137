import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { sendGeneratedBody } from './lib/send-generated-body.mjs';
import { resetPeakMemory, readResidentMemory } from './lib/resident-memory.mjs';
import { withBenchDatabase } from './lib/bench-environment.mjs';
import { runInterleaved } from './lib/statistics.mjs';
import { toCpuTimeFinding, toRateFinding, measureTransfer } from './lib/measure-transfer.mjs';
import { startUploadServers } from './lib/upload-servers.mjs';

/** The limit of the route. */
const BYTES = 200_000_000;
const CONCURRENCY = 8;
const FULL = { rounds: 9, crowds: 3 };
const QUICK = { rounds: 3, crowds: 1 };
const MEGABYTE = 1e6;

/**
 * A body of the one-request route until it is stored with its job, compared with a plain server that writes the same bytes to
 * a file; one body at a time, and several concurrently.
 *
 * @param {{ quick: boolean, profile: string | null }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchStreaming({ quick, profile }) {
  const { rounds, crowds } = quick ? QUICK : FULL;
  const measured = await withBenchDatabase(async (environment) => {
    const takers = await startUploadServers(environment, profile);
    const { ours, baseline, empty } = takers;
    const send = {
      ours: (bytes) => sendGeneratedBody({ ...oneShot(takers), bytes }),
      baseline: (bytes) => sendGeneratedBody({ method: 'POST', address: baseline.origin, bytes }),
    };
    const sides = (count) => ({
      ours: () => alone(empty, () => taking(ours, count, send.ours)),
      baseline: () => alone(empty, () => taking(baseline, count, send.baseline)),
    });
    // The first request loads and compiles code, which is no growth.
    await send.ours(1);
    await send.baseline(1);
    const crowd = await runInterleaved(crowds, sides(CONCURRENCY));
    printProgress('  several at once are measured');
    return { crowd, single: await runInterleaved(rounds, sides(1)) };
  });
  return {
    name: 'streaming',
    setting: `Bodies of ${BYTES / MEGABYTE} MB to the one-shot route, until the first line of the answer; medians of ${rounds} rounds, ${crowds} of ${CONCURRENCY} at once.`,
    findings: findings(measured),
    rounds: measured,
  };
}

/** The answer begins with the job's id when the whole body is on the disk and the job is committed. @param {import('./lib/upload-servers.mjs').Takers} takers */
function oneShot({ ours, key }) {
  const headers = { 'x-api-key': key, 'content-type': 'application/octet-stream' };
  return { method: 'POST', address: `${ours.origin}/api/v1/transcribe`, headers };
}

/** @template T @param {() => Promise<void>} empty @param {() => Promise<T>} work */
async function alone(empty, work) {
  const result = await work();
  await empty();
  return result;
}

/**
 * @param {import('./lib/programs.mjs').Server} server @param {number} count of bodies at once
 * @param {(bytes: number) => Promise<unknown>} send
 */
async function taking(server, count, send) {
  const { now: heldBytes } = readResidentMemory(server.pid);
  resetPeakMemory(server.pid);
  const bodies = () => Promise.all(Array.from({ length: count }, () => send(BYTES)));
  const measured = await measureTransfer(server, count * BYTES, bodies);
  return { ...measured, heldBytes, peakBytes: readResidentMemory(server.pid).peak };
}

function findings({ single, crowd }) {
  const body = `a streamed body of ${BYTES / MEGABYTE} MB`;
  return [
    toRateFinding(body, single, 0.8),
    toCpuTimeFinding(body, single),
    toRateFinding(`${CONCURRENCY} such at once`, crowd, null),
    {
      what: `${CONCURRENCY} such at once: memory that the server takes for them`,
      ...{ ours: `${growth(crowd.ours).toFixed(0)} MB`, baseline: `${growth(crowd.baseline).toFixed(0)} MB` },
      ...{ value: growth(crowd.ours), unit: ' MB', target: 48, bound: 'at most' },
    },
  ];
}

/** Maximum growth in megabytes since the first round. @param {Awaited<ReturnType<typeof taking>>[]} rounds */
function growth(rounds) {
  return (Math.max(...rounds.map(({ peakBytes }) => peakBytes)) - rounds[0].heldBytes) / MEGABYTE;
}
