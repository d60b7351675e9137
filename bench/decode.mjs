import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { decodeAudioToMono, SAMPLE_RATE } from '../dist/libs/speech/src/index.js';
import { FFMPEG_AUDIO_FILTER_CHAIN } from '../dist/libs/speech/src/decode/ffmpeg-arguments.js';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { sumCpuSecondsOfTree } from './lib/process-times.mjs';
import { makeLongRecording } from './lib/long-recording.mjs';
import { withTemporaryFolder } from './lib/bench-environment.mjs';
import { runInterleaved, median, medianRatio } from './lib/statistics.mjs';

const FULL = { minutes: 40, rounds: 5 };
const QUICK = { minutes: 8, rounds: 3 };
/** ffmpeg arguments of the recordings. */
const RECORDINGS = {
  'mono, 16 kHz': ['-b:a', '48k'],
  'stereo, 44.1 kHz': ['-ar', '44100', '-ac', '2', '-b:a', '128k'],
};

/**
 * Decodes a long recording as preprocess does, in the sandbox, compared with plain ffmpeg and the same filters.
 *
 * @param {{ quick: boolean }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export function benchDecode({ quick }) {
  const { minutes, rounds } = quick ? QUICK : FULL;
  return withTemporaryFolder(async (folder) => {
    const measured = {};
    for (const [kind, encoding] of Object.entries(RECORDINGS)) {
      const path = await makeLongRecording(folder, minutes, encoding);
      const sides = {
        ours: () => measureWork(() => decodeWithService(path, minutes)),
        baseline: () => measureWork(() => decodeWithFfmpeg(path)),
      };
      await runInterleaved(1, sides);
      measured[kind] = await runInterleaved(rounds, sides);
      printProgress(`  ${kind} is measured`);
    }
    return {
      name: 'decode',
      setting: `A recording of ${minutes} minutes (MP3) into 16 kHz samples; medians of ${rounds} rounds.`,
      findings: Object.entries(measured).flatMap(([kind, sides]) => buildFindings(`decode, ${kind}`, sides)),
      rounds: measured,
    };
  });
}

/** @param {() => Promise<unknown>} work */
async function measureWork(work) {
  const before = sumCpuSecondsOfTree(process.pid);
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, cpuSeconds: sumCpuSecondsOfTree(process.pid) - before };
}

/** @param {string} path @param {number} minutes */
async function decodeWithService(path, minutes) {
  let samples = 0;
  const { signal } = new AbortController();
  for await (const block of decodeAudioToMono(path, { signal })) samples += block.length;
  // An MP3 may be some frames longer than its source.
  if (Math.abs(samples / SAMPLE_RATE - minutes * 60) > 1) throw new Error(`${samples} samples were decoded.`);
}

/** @param {string} path */
async function decodeWithFfmpeg(path) {
  const outputOptions = [
    '-af',
    FFMPEG_AUDIO_FILTER_CHAIN,
    '-ac',
    '1',
    '-ar',
    String(SAMPLE_RATE),
    '-c:a',
    'pcm_s16le',
    '-f',
    'wav',
  ];
  const args = ['-nostdin', '-v', 'error', '-y', '-i', path, '-map', '0:a:0', ...outputOptions, '/dev/null'];
  await promisify(execFile)('ffmpeg', args);
}

function buildFindings(what, { ours, baseline }) {
  const formatMedian = (rounds, value) => `${median(rounds.map(value)).toFixed(2)} s`;
  const formatBoth = (value) => ({
    ours: formatMedian(ours, value),
    baseline: formatMedian(baseline, value),
  });
  const [time, processor] = [({ seconds }) => seconds, ({ cpuSeconds }) => cpuSeconds];
  return [
    {
      what: `${what}: speed`,
      ...formatBoth(time),
      ...{ value: medianRatio(baseline, ours, time), unit: '', target: 0.95, bound: 'at least' },
    },
    {
      what: `${what}: CPU time`,
      ...formatBoth(processor),
      ...{ value: medianRatio(ours, baseline, processor), unit: '', target: null },
    },
  ];
}
