import { sumMeasurements } from './measure-recording.mjs';
import { JOINED_RECORDING_NAME } from './reader-recordings.mjs';
import { computeEngineUtilisation } from './recording-table.mjs';

/** @typedef {import('./measure-recording.mjs').Measured} Measured @typedef {import('../lib/report.mjs').Finding} Finding */

const MAX_WORD_ERROR_PERCENT = { dialogues: 6, readers: 30 };

/** Targets for synthetic dialogues. @param {Measured[]} measured @returns {Finding[]} */
export function toDialogueFindings(measured) {
  const several = measured.filter(({ expected }) => expected > 1);
  const single = measured.filter(({ expected }) => expected === 1);
  const correct = measured.filter(({ found, expected }) => found === expected);
  return [
    toWordErrorFinding('dialogues', measured, MAX_WORD_ERROR_PERCENT.dialogues),
    {
      ...buildLimitFinding(
        'dialogues: speaker errors, collar 0.25, the worst',
        maxSpeakerErrorPercent(several, 'collar'),
        10,
      ),
      unit: ' %',
    },
    {
      ...buildFinding(
        'dialogues: speaker errors, no collar, the worst',
        maxSpeakerErrorPercent(several, 'strict'),
      ),
      unit: ' %',
    },
    toSpeakerCountFinding('one voice: speakers found, at most', single),
    {
      ...buildFinding('dialogues: the right number of speakers, in recordings', correct.length),
      ...{ unit: ' right', target: measured.length, bound: 'at least' },
    },
    toCpuTimeFinding('dialogues', measured),
  ];
}

/** Targets for human readers. @param {Measured[]} measured @returns {Finding[]} */
export function toReaderFindings(measured) {
  if (measured.length === 0) return [];
  const clips = measured.filter(({ name }) => name !== JOINED_RECORDING_NAME);
  return [
    toWordErrorFinding('reader: clips', clips, MAX_WORD_ERROR_PERCENT.readers),
    toSpeakerCountFinding('reader: speakers found, at most', measured),
    toCpuTimeFinding(
      JOINED_RECORDING_NAME,
      measured.filter(({ name }) => name === JOINED_RECORDING_NAME),
    ),
  ];
}

/** Utilisation of the recordings, and peak memory of all programs. @param {Measured[]} measured @param {Map<string, number>} memory */
export function toCostFindings(measured, memory, cores) {
  const peaks = [...memory].map(([program, bytes]) => ({
    ...buildFinding(`peak memory: ${program}`, Math.round(bytes / 1e6)),
    unit: ' MB',
  }));
  if (measured.length === 0) return peaks;
  const share = 100 * computeEngineUtilisation(sumMeasurements('all', measured).service, cores);
  return [{ ...buildFinding("the engine's share of all cores", share), unit: ' %' }, ...peaks];
}

/** @param {string} what @param {Measured[]} measured @param {number} target */
function toWordErrorFinding(what, measured, target) {
  const { words } = sumMeasurements(what, measured);
  const share = (errors) => (100 * errors) / words.reference;
  return {
    what: `${what}: word errors`,
    ours: `${words.service} of ${words.reference}`,
    baseline: `${words.bare} of ${words.reference}`,
    ...{ value: share(words.service), unit: ' %', target, bound: 'at most' },
  };
}

/** @param {string} what @param {Measured[]} measured */
function toCpuTimeFinding(what, measured) {
  const { service, bare, duration } = sumMeasurements(what, measured);
  return {
    what: `${what}: CPU time for a second of audio`,
    ours: `${(service.cpuSeconds / duration).toFixed(3)} s`,
    baseline: `${(bare.cpuSeconds / duration).toFixed(3)} s`,
    ...{ value: service.cpuSeconds / duration, unit: ' s', target: 0.5, bound: 'at most' },
  };
}

/** @param {string} what @param {Measured[]} measured of one voice */
function toSpeakerCountFinding(what, measured) {
  return { ...buildLimitFinding(what, Math.max(...measured.map(({ found }) => found)), 1), unit: ' found' };
}

/** @param {Measured[]} measured @param {'collar' | 'strict'} kind */
function maxSpeakerErrorPercent(measured, kind) {
  return Math.max(...measured.map(({ speakers }) => (100 * speakers[kind].wrong) / speakers[kind].scored));
}

function buildFinding(what, value) {
  return { what, ours: '', baseline: '', value, unit: '', target: null };
}

function buildLimitFinding(what, value, target) {
  return { ...buildFinding(what, value), target, bound: 'at most' };
}
