import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MALLOC_TRIM_ENV } from '../scripts/lib/malloc-trim-env.mjs';
import { median } from './lib/statistics.mjs';

const programs = new URL('./transcript/', import.meta.url);

/**
 * Renders a transcript of 100,000 words in all six formats, each round in a new process.
 *
 * @param {{ quick: boolean }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchTranscript({ quick }) {
  const rounds = [];
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-bench-'));
  try {
    const path = join(folder, 'document.json');
    await runProgram('make-document.mjs', path);
    for (let round = 0; round < (quick ? 1 : 5); round += 1)
      rounds.push(JSON.parse(await runProgram('render-all.mjs', path)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return {
    name: 'transcript',
    setting: `A document of 100,000 words in six formats, one after another; medians of ${rounds.length} rounds.`,
    findings: buildFindings(rounds),
    rounds,
  };
}

/** @param {string} program @param {string} path of the document @returns {Promise<string>} its output */
async function runProgram(program, path) {
  const file = fileURLToPath(new URL(program, programs));
  const env = { ...process.env, ...MALLOC_TRIM_ENV };
  const { stdout } = await promisify(execFile)(process.execPath, [file, path], { env });
  return stdout;
}

/** @param {object[]} rounds outputs of `render-all.mjs` */
function buildFindings(rounds) {
  const formats = Object.keys(rounds[0].formats);
  const sum = ({ formats: each }, what) => Object.values(each).reduce((total, part) => total + part[what], 0);
  const medianOf = (value) => median(rounds.map(value));
  const seconds = medianOf((round) => sum(round, 'seconds'));
  const peak = medianOf(({ peakMB }) => peakMB);
  const roundTrip = `${medianOf((round) => round.roundTrip.processor).toFixed(2)} s`;
  return [
    {
      ...{ what: '100,000 words in six formats: time', ours: `${seconds.toFixed(2)} s`, baseline: '' },
      ...{ value: seconds, unit: ' s', target: 10, bound: 'at most' },
    },
    {
      ...{ what: '100,000 words in six formats: peak memory', ours: `${peak.toFixed(0)} MB`, baseline: '' },
      ...{ value: peak, unit: ' MB', target: 400, bound: 'at most' },
    },
    ...formats.map((format) => ({
      what: `100,000 words as ${format}: CPU time, in JSON round trips`,
      ours: `${medianOf((round) => round.formats[format].processor).toFixed(2)} s`,
      baseline: roundTrip,
      value: medianOf((round) => round.formats[format].processor / round.roundTrip.processor),
      ...{ unit: '', target: null },
    })),
  ];
}
