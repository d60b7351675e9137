import { availableParallelism } from 'node:os';
import { printProgress, UserFacingError } from '../scripts/lib/user-facing-error.mjs';
import { BareEngine } from './lib/bare-engine.mjs';
import { loadScorers } from './lib/scorers.mjs';
import { PeakMemoryMeter } from './lib/peak-memory-meter.mjs';
import { formatFindings, saveResult } from './lib/report.mjs';
import { RunningService } from './lib/running-service.mjs';
import { makeDialogueRecordings } from './speech/dialogues.mjs';
import { withFolderRecordings } from './speech/folder-recordings.mjs';
import { benchAlignment } from './speech/alignment.mjs';
import { benchCorrection } from './speech/correction.mjs';
import { toCostFindings, toDialogueFindings, toReaderFindings } from './speech/goals.mjs';
import { sumMeasurements, RecordingBenchmark } from './speech/measure-recording.mjs';
import { loadReaderRecordings } from './speech/reader-recordings.mjs';
import { makeHardRecordings } from './speech/hard-recordings.mjs';
import { formatRecordingTable } from './speech/recording-table.mjs';
import { benchVocabulary } from './speech/vocabulary.mjs';

/** Programs whose memory is reported, by a part of their command line. */
const PROGRAMS = {
  api: 'apps/api/',
  processor: 'apps/processor/',
  'one process of the engine': 'pocketsphinx_batch',
  'one decoder': 'ffmpeg',
};

const PARTS = {
  dialogues: measurePart(makeDialogueRecordings, toDialogueFindings),
  readers: measurePart(loadReaderRecordings, toReaderFindings),
  rough: measurePart(makeHardRecordings, () => []),
  vocabulary: benchVocabulary,
  correction: benchCorrection,
  alignment: benchAlignment,
};

/**
 * @typedef {{ quick: boolean, long: boolean }} Length
 * @typedef {object} PartResult
 * @property {import('./speech/measure-recording.mjs').Measured[]} rows
 * @property {import('./lib/report.mjs').Finding[]} findings
 * @property {unknown} [rounds] other measurements
 */

/**
 * @param {Length & { parts: string[] }} choice
 * @returns {Promise<string>} the report, in Markdown
 */
export async function benchSpeech({ parts, ...length }) {
  return withService(async (benchmark, memory) => {
    const name = parts.length === 1 ? `speech-${parts[0]}` : 'speech';
    const results = [];
    for (const part of parts) {
      printProgress(`Measuring ${part} ...`);
      results.push(await PARTS[part](benchmark, length));
      // Half an hour of measurements is not lost if a later part fails.
      await saveResult({ name, parts, ...length, results });
    }
    const rows = results.flatMap((result) => result.rows);
    const cores = availableParallelism();
    const findings = [
      ...results.flatMap((result) => result.findings),
      ...toCostFindings(rows, await memory.stop(), cores),
    ];
    await saveResult({
      name,
      parts,
      ...length,
      rows,
      findings,
      rounds: results.map(({ rounds }) => rounds),
    });
    return [...(rows.length > 0 ? [formatRecordingTable(rows, cores)] : []), formatFindings(findings)].join(
      '\n\n',
    );
  });
}

/**
 * Measures the recordings of a folder. Recordings whose jobs fail are reported and omitted.
 *
 * @param {string} folder
 * @returns {Promise<string>} the report, in Markdown
 * @throws UserFacingError if all jobs fail
 */
export async function benchFolder(folder) {
  return withFolderRecordings(folder, (recordings) =>
    withService(async (benchmark, memory) => {
      const rows = await benchmark.measureSuccessful(recordings);
      if (rows.length === 0) throw new UserFacingError(`No recording of ${folder} could be transcribed.`);
      const cores = availableParallelism();
      const all = rows.length > 1 ? [...rows, sumMeasurements('all of them', rows)] : rows;
      const findings = toCostFindings(rows, await memory.stop(), cores);
      await saveResult({ name: 'speech-folder', rows, findings });
      return [formatRecordingTable(all, cores), formatFindings(findings)].join('\n\n');
    }),
  );
}

/** @param {(measuring: RecordingBenchmark, memory: PeakMemoryMeter) => Promise<string>} work */
async function withService(work) {
  const service = await RunningService.start();
  const memory = new PeakMemoryMeter(service.pid, PROGRAMS);
  try {
    return await work(new RecordingBenchmark(service, new BareEngine(), await loadScorers()), memory);
  } finally {
    await memory.stop();
    await service.stop();
  }
}

/**
 * @param {(length: Length) => Promise<import('./speech/measure-recording.mjs').Recording[]>} makeRecordings
 * @param {(rows: import('./speech/measure-recording.mjs').Measured[]) => import('./lib/report.mjs').Finding[]} toFindings
 * @returns {(measuring: RecordingBenchmark, length: Length) => Promise<PartResult>}
 */
function measurePart(makeRecordings, toFindings) {
  return async (benchmark, length) => {
    const rows = await benchmark.measureAll(await makeRecordings(length));
    return { rows, findings: toFindings(rows) };
  };
}
