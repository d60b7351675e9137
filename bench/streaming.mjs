import { say } from '../scripts/lib/trouble.mjs';
import { sendBytes } from './lib/made-bytes.mjs';
import { forgetPeak, residentOf } from './lib/resident.mjs';
import { withDatabase } from './lib/scene.mjs';
import { interleaved } from './lib/statistics.mjs';
import { processorTimeOf, rateOf, taken } from './lib/taken.mjs';
import { startTakers } from './lib/takers.mjs';

/** The most that the route takes. */
const BYTES = 200_000_000;
const CONCURRENCY = 8;
const FULL = { rounds: 9, crowds: 3 };
const QUICK = { rounds: 3, crowds: 1 };
const MEGABYTE = 1e6;

/**
 * A body of the one-shot route until it is in the store and its job in the database, against a plain server that takes the
 * same bytes into a file; one body at a time and several at once.
 *
 * @param {{ quick: boolean, profile: string | null }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function streaming({ quick, profile }) {
  const { rounds, crowds } = quick ? QUICK : FULL;
  const measured = await withDatabase(async (scene) => {
    const takers = await startTakers(scene, profile);
    const { ours, baseline, empty } = takers;
    const send = {
      ours: (bytes) => sendBytes({ ...oneShot(takers), bytes }),
      baseline: (bytes) => sendBytes({ method: 'POST', address: baseline.origin, bytes }),
    };
    const sides = (count) => ({
      ours: () => alone(empty, () => taking(ours, count, send.ours)),
      baseline: () => alone(empty, () => taking(baseline, count, send.baseline)),
    });
    // What is loaded and compiled at the first request is no growth.
    await send.ours(1);
    await send.baseline(1);
    const crowd = await interleaved(crowds, sides(CONCURRENCY));
    say('  several at once are measured');
    return { crowd, single: await interleaved(rounds, sides(1)) };
  });
  return {
    name: 'streaming',
    setting: `Bodies of ${BYTES / MEGABYTE} MB to the one-shot route, until the first line of the answer; medians of ${rounds} rounds, ${crowds} of ${CONCURRENCY} at once.`,
    findings: findings(measured),
    rounds: measured,
  };
}

/** The answer begins with the job's id when the whole body is on the disk and the job is committed. @param {import('./lib/takers.mjs').Takers} takers */
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
  const { now: heldBytes } = residentOf(server.pid);
  forgetPeak(server.pid);
  const bodies = () => Promise.all(Array.from({ length: count }, () => send(BYTES)));
  const measured = await taken(server, count * BYTES, bodies);
  return { ...measured, heldBytes, peakBytes: residentOf(server.pid).peak };
}

function findings({ single, crowd }) {
  const body = `a streamed body of ${BYTES / MEGABYTE} MB`;
  return [
    rateOf(body, single, 0.8),
    processorTimeOf(body, single),
    rateOf(`${CONCURRENCY} such at once`, crowd, null),
    {
      what: `${CONCURRENCY} such at once: memory that the server takes for them`,
      ...{ ours: `${growth(crowd.ours).toFixed(0)} MB`, baseline: `${growth(crowd.baseline).toFixed(0)} MB` },
      ...{ value: growth(crowd.ours), unit: ' MB', target: 48, bound: 'at most' },
    },
  ];
}

/** Megabytes beyond what it held before the first round, at most. @param {Awaited<ReturnType<typeof taking>>[]} rounds */
function growth(rounds) {
  return (Math.max(...rounds.map(({ peakBytes }) => peakBytes)) - rounds[0].heldBytes) / MEGABYTE;
}
