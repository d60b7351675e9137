import { Agent } from 'node:http';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { sendGeneratedBody } from './lib/send-generated-body.mjs';
import { withBenchDatabase } from './lib/bench-environment.mjs';
import { runInterleaved, median, medianRatio } from './lib/statistics.mjs';
import { toCpuTimeFinding, toRateFinding, measureTransfer } from './lib/measure-transfer.mjs';
import { startUploadServers } from './lib/upload-servers.mjs';

const FULL = { bytes: 2_000_000_000, rounds: 3 };
const QUICK = { bytes: 200_000_000, rounds: 2 };
/** Concurrent parts of a client. */
const CONCURRENCY = 4;
const MEGABYTE = 1e6;

/**
 * Uploads a large file to one signed URL and to part URLs, compared with a plain server that writes the same bytes to a file.
 *
 * @param {{ quick: boolean, profile: string | null }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchUpload({ quick, profile }) {
  const { bytes, rounds } = quick ? QUICK : FULL;
  const measured = await withBenchDatabase(async (environment) => {
    const servers = await startUploadServers(environment, profile);
    const { ours, baseline, deleteUploads } = servers;
    const measureSide = (name, server, work) => async () => {
      const measurement = await measureTransfer(server, bytes, work);
      await deleteUploads();
      printProgress(`  ${name}: ${measurement.seconds.toFixed(1)} s`);
      return measurement;
    };
    return runInterleaved(rounds, {
      ours: measureSide('one URL', ours, () => uploadWithOneUrl(servers, bytes)),
      parts: measureSide('parts', ours, () => uploadInParts(servers, bytes)),
      baseline: measureSide('plain server', baseline, () =>
        sendGeneratedBody({ method: 'PUT', address: baseline.origin, bytes }),
      ),
    });
  });
  return {
    name: 'upload',
    setting: `A file of ${bytes / MEGABYTE} MB to the file store, from create to complete; ${CONCURRENCY} concurrent parts; medians of ${rounds} rounds.`,
    findings: buildFindings(measured, `a file of ${bytes / MEGABYTE} MB`),
    rounds: measured,
  };
}

/** @param {import('./lib/upload-servers.mjs').UploadServers} servers @param {number} bytes */
async function uploadWithOneUrl(servers, bytes) {
  const job = await postJson(servers, 'upload', { file_size: bytes });
  const headers = { 'content-type': job.content_type };
  await sendGeneratedBody({ method: 'PUT', address: job.upload_url, headers, bytes });
  await postJson(servers, 'upload/complete', { job_id: job.job_id });
}

/** @param {import('./lib/upload-servers.mjs').UploadServers} servers @param {number} bytes */
async function uploadInParts(servers, bytes) {
  const job = await postJson(servers, 'upload/multipart/create', { file_size: bytes });
  const agent = new Agent({ keepAlive: true });
  const uploadedParts = [];
  const remainingParts = job.parts.values();
  const uploadParts = async () => {
    for (const { part_number, url: address } of remainingParts) {
      const size = Math.min(job.part_size, bytes - (part_number - 1) * job.part_size);
      const { etag } = await sendGeneratedBody({ method: 'PUT', address, bytes: size, agent });
      uploadedParts.push({ part_number, etag });
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, uploadParts));
  } finally {
    agent.destroy();
  }
  await postJson(servers, 'upload/multipart/complete', { job_id: job.job_id, parts: uploadedParts });
}

/** @param {import('./lib/upload-servers.mjs').UploadServers} servers @param {string} route @param {unknown} body */
async function postJson({ ours, key }, route, body) {
  const response = await fetch(`${ours.origin}/api/v1/${route}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${route} failed with status ${response.status}: ${await response.text()}`);
  return response.json();
}

function buildFindings({ ours, parts, baseline }, file) {
  const seconds = (rounds) => `${median(rounds.map((round) => round.seconds)).toFixed(2)} s`;
  return [
    toRateFinding(file, { ours, baseline }, 0.8),
    toCpuTimeFinding(file, { ours, baseline }),
    {
      what: `${file}, in parts: times faster than with one URL`,
      ...{ ours: seconds(parts), baseline: seconds(ours) },
      value: medianRatio(ours, parts, (round) => round.seconds),
      ...{ unit: '', target: 1, bound: 'at least' },
    },
    toCpuTimeFinding(`${file}, in parts`, { ours: parts, baseline }),
  ];
}
