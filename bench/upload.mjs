import { Agent } from 'node:http';
import { say } from '../scripts/lib/trouble.mjs';
import { sendBytes } from './lib/made-bytes.mjs';
import { withDatabase } from './lib/scene.mjs';
import { interleaved, median, medianRatio } from './lib/statistics.mjs';
import { processorTimeOf, rateOf, taken } from './lib/taken.mjs';
import { startTakers } from './lib/takers.mjs';

const FULL = { bytes: 2_000_000_000, rounds: 3 };
const QUICK = { bytes: 200_000_000, rounds: 2 };
/** Parts that a client sends at once. */
const CONCURRENCY = 4;
const MEGABYTE = 1e6;

/**
 * A large file by its presigned address, and by those of its parts, against a plain server that takes the same bytes into
 * a file.
 *
 * @param {{ quick: boolean, profile: string | null }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function upload({ quick, profile }) {
  const { bytes, rounds } = quick ? QUICK : FULL;
  const measured = await withDatabase(async (scene) => {
    const takers = await startTakers(scene, profile);
    const { ours, baseline, empty } = takers;
    const side = (name, server, work) => async () => {
      const measurement = await taken(server, bytes, work);
      await empty();
      say(`  ${name}: ${measurement.seconds.toFixed(1)} s`);
      return measurement;
    };
    return interleaved(rounds, {
      ours: side('one address', ours, () => inOne(takers, bytes)),
      parts: side('parts', ours, () => inParts(takers, bytes)),
      baseline: side('plain server', baseline, () =>
        sendBytes({ method: 'PUT', address: baseline.origin, bytes }),
      ),
    });
  });
  return {
    name: 'upload',
    setting: `A file of ${bytes / MEGABYTE} MB to the store of files, from create to complete; ${CONCURRENCY} parts at once; medians of ${rounds} rounds.`,
    findings: findings(measured, `a file of ${bytes / MEGABYTE} MB`),
    rounds: measured,
  };
}

/** @param {import('./lib/takers.mjs').Takers} takers @param {number} bytes */
async function inOne(takers, bytes) {
  const job = await ask(takers, 'upload', { file_size: bytes });
  const headers = { 'content-type': job.content_type };
  await sendBytes({ method: 'PUT', address: job.upload_url, headers, bytes });
  await ask(takers, 'upload/complete', { job_id: job.job_id });
}

/** @param {import('./lib/takers.mjs').Takers} takers @param {number} bytes */
async function inParts(takers, bytes) {
  const job = await ask(takers, 'upload/multipart/create', { file_size: bytes });
  const agent = new Agent({ keepAlive: true });
  const sent = [];
  const left = job.parts.values();
  const sender = async () => {
    for (const { part_number, url: address } of left) {
      const size = Math.min(job.part_size, bytes - (part_number - 1) * job.part_size);
      const { etag } = await sendBytes({ method: 'PUT', address, bytes: size, agent });
      sent.push({ part_number, etag });
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, sender));
  } finally {
    agent.destroy();
  }
  await ask(takers, 'upload/multipart/complete', { job_id: job.job_id, parts: sent });
}

/** @param {import('./lib/takers.mjs').Takers} takers @param {string} route @param {unknown} body */
async function ask({ ours, key }, route, body) {
  const answer = await fetch(`${ours.origin}/api/v1/${route}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${route} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

function findings({ ours, parts, baseline }, file) {
  const seconds = (rounds) => `${median(rounds.map((round) => round.seconds)).toFixed(2)} s`;
  return [
    rateOf(file, { ours, baseline }, 0.8),
    processorTimeOf(file, { ours, baseline }),
    {
      what: `${file}, in parts: times faster than by one address`,
      ...{ ours: seconds(parts), baseline: seconds(ours) },
      value: medianRatio(ours, parts, (round) => round.seconds),
      ...{ unit: '', target: 1, bound: 'at least' },
    },
    processorTimeOf(`${file}, in parts`, { ours: parts, baseline }),
  ];
}
