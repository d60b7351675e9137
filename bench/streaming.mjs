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
const FULL = { rounds: 9, concurrentRounds: 3 };
const QUICK = { rounds: 3, concurrentRounds: 1 };
const MEGABYTE = 1e6;

/**
 * A body of the one-request route until it is stored with its job, compared with a plain server that writes the same bytes to
 * a file; one body at a time, and several concurrently.
 *
 * @param {{ quick: boolean, profile: string | null }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchStreaming({ quick, profile }) {
  const { rounds, concurrentRounds } = quick ? QUICK : FULL;
  const measured = await withBenchDatabase(async (environment) => {
    const servers = await startUploadServers(environment, profile);
    const { ours, baseline, deleteUploads } = servers;
    const sendBody = {
      ours: (bytes) => sendGeneratedBody({ ...buildTranscribeRequest(servers), bytes }),
      baseline: (bytes) => sendGeneratedBody({ method: 'POST', address: baseline.origin, bytes }),
    };
    const sides = (count) => ({
      ours: () => runAndDeleteUploads(deleteUploads, () => measureBodies(ours, count, sendBody.ours)),
      baseline: () =>
        runAndDeleteUploads(deleteUploads, () => measureBodies(baseline, count, sendBody.baseline)),
    });
    // The first request loads and compiles code, whose memory is not measured.
    await sendBody.ours(1);
    await sendBody.baseline(1);
    const concurrent = await runInterleaved(concurrentRounds, sides(CONCURRENCY));
    printProgress('  concurrent bodies are measured');
    return { concurrent, single: await runInterleaved(rounds, sides(1)) };
  });
  return {
    name: 'streaming',
    setting: `Bodies of ${BYTES / MEGABYTE} MB to the one-request route, until the first line of the response; medians of ${rounds} rounds, ${concurrentRounds} of ${CONCURRENCY} concurrent bodies.`,
    findings: buildFindings(measured),
    rounds: measured,
  };
}

/** The response begins when the body is on disk and the job is committed. @param {import('./lib/upload-servers.mjs').UploadServers} servers */
function buildTranscribeRequest({ ours, key }) {
  const headers = { 'x-api-key': key, 'content-type': 'application/octet-stream' };
  return { method: 'POST', address: `${ours.origin}/api/v1/transcribe`, headers };
}

/** @template T @param {() => Promise<void>} deleteUploads @param {() => Promise<T>} work */
async function runAndDeleteUploads(deleteUploads, work) {
  const result = await work();
  await deleteUploads();
  return result;
}

/**
 * @param {import('./lib/programs.mjs').Server} server @param {number} count of concurrent bodies
 * @param {(bytes: number) => Promise<unknown>} sendBody
 */
async function measureBodies(server, count, sendBody) {
  const { now: initialBytes } = readResidentMemory(server.pid);
  resetPeakMemory(server.pid);
  const bodies = () => Promise.all(Array.from({ length: count }, () => sendBody(BYTES)));
  const measured = await measureTransfer(server, count * BYTES, bodies);
  return { ...measured, initialBytes, peakBytes: readResidentMemory(server.pid).peak };
}

function buildFindings({ single, concurrent }) {
  const body = `a streamed body of ${BYTES / MEGABYTE} MB`;
  return [
    toRateFinding(body, single, 0.8),
    toCpuTimeFinding(body, single),
    toRateFinding(`${CONCURRENCY} concurrent bodies`, concurrent, null),
    {
      what: `${CONCURRENCY} concurrent bodies: memory of the server for them`,
      ...{
        ours: `${maxGrowthMegabytes(concurrent.ours).toFixed(0)} MB`,
        baseline: `${maxGrowthMegabytes(concurrent.baseline).toFixed(0)} MB`,
      },
      ...{ value: maxGrowthMegabytes(concurrent.ours), unit: ' MB', target: 48, bound: 'at most' },
    },
  ];
}

/** Maximum growth in megabytes since the first round. @param {Awaited<ReturnType<typeof measureBodies>>[]} rounds */
function maxGrowthMegabytes(rounds) {
  return (Math.max(...rounds.map(({ peakBytes }) => peakBytes)) - rounds[0].initialBytes) / MEGABYTE;
}
