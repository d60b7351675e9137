import { sumMeasurements } from './measure-recording.mjs';
import { JOINED_RECORDING_NAME } from './reader-recordings.mjs';
import { engineUtilisation } from './recording-table.mjs';

/** @typedef {import('./measure-recording.mjs').Measured} Measured @typedef {import('../lib/report.mjs').Finding} Finding */

const MOST_ERRORS = { dialogues: 6, readers: 30 };

/** Targets for synthetic dialogues. @param {Measured[]} measured @returns {Finding[]} */
export function toDialogueFindings(measured) {
  const several = measured.filter(({ told }) => told > 1);
  const single = measured.filter(({ told }) => told === 1);
  const right = measured.filter(({ found, told }) => found === told);
  return [
    wordErrors('dialogues', measured, MOST_ERRORS.dialogues),
    {
      ...limit('dialogues: speaker errors, collar 0.25, the worst', worst(several, 'collar'), 10),
      unit: ' %',
    },
    { ...informing('dialogues: speaker errors, no collar, the worst', worst(several, 'strict')), unit: ' %' },
    mostFound('one voice: speakers found, at most', single),
    {
      ...informing('dialogues: the right number of speakers, in recordings', right.length),
      ...{ unit: ' right', target: measured.length, bound: 'at least' },
    },
    oneCore('dialogues', measured),
  ];
}

/** Targets for human readers. @param {Measured[]} measured @returns {Finding[]} */
export function toReaderFindings(measured) {
  if (measured.length === 0) return [];
  const clips = measured.filter(({ name }) => name !== JOINED_RECORDING_NAME);
  return [
    wordErrors('reader: clips', clips, MOST_ERRORS.readers),
    mostFound('reader: speakers found, at most', measured),
    oneCore(
      JOINED_RECORDING_NAME,
      measured.filter(({ name }) => name === JOINED_RECORDING_NAME),
    ),
  ];
}

/** CPU time of the recordings, and memory of all programs. @param {Measured[]} measured @param {Map<string, number>} memory */
export function toCostFindings(measured, memory, cores) {
  const peaks = [...memory].map(([program, bytes]) => ({
    ...informing(`peak memory: ${program}`, Math.round(bytes / 1024 ** 2)),
    unit: ' MB',
  }));
  if (measured.length === 0) return peaks;
  const share = 100 * engineUtilisation(sumMeasurements('all', measured).service, cores);
  return [{ ...informing("the engine's share of all cores", share), unit: ' %' }, ...peaks];
}

/** @param {string} what @param {Measured[]} measured @param {number} target */
function wordErrors(what, measured, target) {
  const { words } = sumMeasurements(what, measured);
  const share = (errors) => (100 * errors) / words.said;
  return {
    what: `${what}: word errors`,
    ours: `${words.service} of ${words.said}`,
    baseline: `${words.bare} of ${words.said}`,
    ...{ value: share(words.service), unit: ' %', target, bound: 'at most' },
  };
}

/** @param {string} what @param {Measured[]} measured */
function oneCore(what, measured) {
  const { service, bare, duration } = sumMeasurements(what, measured);
  return {
    what: `${what}: processor time for a second of audio`,
    ours: `${(service.cpuSeconds / duration).toFixed(3)} s`,
    baseline: `${(bare.cpuSeconds / duration).toFixed(3)} s`,
    ...{ value: service.cpuSeconds / duration, unit: ' s', target: 0.5, bound: 'at most' },
  };
}

/** @param {string} what @param {Measured[]} measured of one voice */
function mostFound(what, measured) {
  return { ...limit(what, Math.max(...measured.map(({ found }) => found)), 1), unit: ' found' };
}

/** @param {Measured[]} measured @param {'collar' | 'strict'} kind */
function worst(measured, kind) {
  return Math.max(...measured.map(({ speakers }) => (100 * speakers[kind].wrong) / speakers[kind].scored));
}

function informing(what, value) {
  return { what, ours: '', baseline: '', value, unit: '', target: null };
}

function limit(what, value, target) {
  return { ...informing(what, value), target, bound: 'at most' };
}
