import { availableParallelism } from 'node:os';
import { say, Trouble } from '../scripts/lib/trouble.mjs';
import { BareEngine } from './lib/bare-engine.mjs';
import { loadJudges } from './lib/judges.mjs';
import { MemoryWatch } from './lib/memory-watch.mjs';
import { keepResult, table } from './lib/report.mjs';
import { RunningService } from './lib/running-service.mjs';
import { dialogues } from './speech/dialogues.mjs';
import { withRecordingsOf } from './speech/folder.mjs';
import { costs, goalsOfDialogues, goalsOfReaders } from './speech/goals.mjs';
import { addedUp, Measuring } from './speech/measure-recording.mjs';
import { readers } from './speech/readers.mjs';
import { roughRecordings } from './speech/rough.mjs';
import { recordingTable } from './speech/rows.mjs';
import { vocabulary } from './speech/vocabulary.mjs';

/** The programs whose memory is told, by what their command lines hold. */
const PROGRAMS = {
  api: 'apps/api/',
  processor: 'apps/processor/',
  'one process of the engine': 'pocketsphinx_batch',
  'one decoder': 'ffmpeg',
};

const PARTS = {
  dialogues: recorded(dialogues, goalsOfDialogues),
  readers: recorded(readers, goalsOfReaders),
  rough: recorded(roughRecordings, () => []),
  vocabulary,
};

/**
 * @typedef {{ quick: boolean, long: boolean }} Length
 * @typedef {object} PartResult
 * @property {import('./speech/measure-recording.mjs').Measured[]} rows
 * @property {import('./lib/report.mjs').Finding[]} findings
 * @property {unknown} [rounds] what else was measured
 */

/**
 * Measures parts of the material.
 *
 * @param {Length & { parts: string[] }} choice
 * @returns {Promise<string>} the report, in Markdown
 */
export async function benchSpeech({ parts, ...length }) {
  return withService(async (measuring, memory) => {
    const results = [];
    for (const part of parts) {
      say(`Measuring ${part} ...`);
      results.push(await PARTS[part](measuring, length));
    }
    const rows = results.flatMap((result) => result.rows);
    const cores = availableParallelism();
    const findings = [
      ...results.flatMap((result) => result.findings),
      ...costs(rows, await memory.end(), cores),
    ];
    await keepResult({
      name: 'speech',
      parts,
      ...length,
      rows,
      findings,
      rounds: results.map(({ rounds }) => rounds),
    });
    return [...(rows.length > 0 ? [recordingTable(rows, cores)] : []), table([{ findings }])].join('\n\n');
  });
}

/**
 * Measures the recordings of a folder; those whose jobs fail are told and left out.
 *
 * @param {string} folder
 * @returns {Promise<string>} the report, in Markdown
 * @throws Trouble when nothing is left
 */
export async function benchFolder(folder) {
  return withRecordingsOf(folder, (recordings) =>
    withService(async (measuring, memory) => {
      const rows = await measuring.whatWorks(recordings);
      if (rows.length === 0) throw new Trouble(`No recording of ${folder} could be transcribed.`);
      const cores = availableParallelism();
      const all = rows.length > 1 ? [...rows, addedUp('all of them', rows)] : rows;
      const findings = costs(rows, await memory.end(), cores);
      await keepResult({ name: 'speech-folder', rows, findings });
      return [recordingTable(all, cores), table([{ findings }])].join('\n\n');
    }),
  );
}

/** @param {(measuring: Measuring, memory: MemoryWatch) => Promise<string>} work */
async function withService(work) {
  const service = await RunningService.start();
  const memory = new MemoryWatch(service.pid, PROGRAMS);
  try {
    return await work(new Measuring(service, new BareEngine(), await loadJudges()), memory);
  } finally {
    await memory.end();
    await service.stop();
  }
}

/**
 * @param {(length: Length) => Promise<import('./speech/measure-recording.mjs').Recording[]>} make
 * @param {(rows: import('./speech/measure-recording.mjs').Measured[]) => import('./lib/report.mjs').Finding[]} goals
 * @returns {(measuring: Measuring, length: Length) => Promise<PartResult>}
 */
function recorded(make, goals) {
  return async (measuring, length) => {
    const rows = await measuring.all(await make(length));
    return { rows, findings: goals(rows) };
  };
}
