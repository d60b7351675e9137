import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { InstantEngine } from './lib/instant-engine.mjs';
import { makeLongRecording } from './lib/long-recording.mjs';
import { PeakMemoryMeter } from './lib/peak-memory-meter.mjs';
import { RunningService } from './lib/running-service.mjs';

/** Minutes. */
const FULL = { short: 60, long: 600 };
const QUICK = { short: 10, long: 60 };
const PROGRAMS = { processor: 'apps/processor/', decoder: 'ffmpeg' };
const MEBIBYTE = 1024 * 1024;

/**
 * Growth of memory and time with the length of a recording: a long and a short one through the service without recognition,
 * each with a new service.
 *
 * @param {{ quick: boolean }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchTenHours({ quick }) {
  const minutes = quick ? QUICK : FULL;
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-ten-hours-'));
  const engine = await InstantEngine.start();
  try {
    const rounds = {
      baseline: await measureWithService(engine, await makeLongRecording(folder, minutes.short)),
      ours: await measureWithService(engine, await makeLongRecording(folder, minutes.long)),
    };
    const setting = `A dialogue of ${minutes.long} minutes (MP3, 2 voices, with speaker labels) against one of ${minutes.short}, recognised by a server that responds at once; one round.`;
    return { name: 'ten-hours', setting, findings: buildFindings(rounds, minutes), rounds };
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {InstantEngine} engine @param {string} path */
async function measureWithService(engine, path) {
  const service = await RunningService.start(engine.env);
  try {
    const meter = new PeakMemoryMeter(service.pid, PROGRAMS);
    const { seconds, cpuSeconds, transcript } = await service.measure(path);
    const peaks = await meter.stop();
    const bytes = [...peaks.values()].reduce((sum, peak) => sum + peak, 0);
    const words = transcript.text.split(' ').length;
    printProgress(`  ${seconds.toFixed(1)} s, ${(bytes / MEBIBYTE).toFixed(0)} MiB, ${words} words`);
    return { seconds, cpuSeconds, bytes, peaks: Object.fromEntries(peaks), words };
  } finally {
    await service.stop();
  }
}

function buildFindings({ ours, baseline }, minutes) {
  const times = minutes.long / minutes.short;
  const mebibytes = ({ bytes }) => `${(bytes / MEBIBYTE).toFixed(0)} MiB`;
  const seconds = (value) => `${value.toFixed(1)} s`;
  return [
    {
      what: `${minutes.long} minutes: memory of processor and decoder, against ${minutes.short}`,
      ...{ ours: mebibytes(ours), baseline: mebibytes(baseline) },
      ...{ value: ours.bytes / baseline.bytes, unit: '', target: 1.2, bound: 'at most' },
    },
    {
      what: `${minutes.long} minutes: time, against ${minutes.short}`,
      ...{ ours: seconds(ours.seconds), baseline: seconds(baseline.seconds) },
      ...{ value: ours.seconds / baseline.seconds, unit: '', target: times * 1.05, bound: 'at most' },
    },
    {
      what: `${minutes.long} minutes: CPU time, against ${minutes.short}`,
      ...{ ours: seconds(ours.cpuSeconds), baseline: seconds(baseline.cpuSeconds) },
      ...{ value: ours.cpuSeconds / baseline.cpuSeconds, unit: '', target: null },
    },
  ];
}
