import { formatMarkdownTable } from '../lib/markdown-table.mjs';

const HEAD = [
  'recording',
  'length',
  'words wrong',
  'speakers',
  'wrong, collar 0.25',
  'no collar',
  'of real time',
  'utilisation',
];

/**
 * One line a recording; where two figures stand, the second is the bare engine's.
 *
 * @param {import('./measure-recording.mjs').Measured[]} measured @param {number} cores
 */
export function formatRecordingTable(measured, cores) {
  return formatMarkdownTable(
    HEAD,
    measured.map((each) => cells(each, cores)),
  );
}

/** @param {import('./measure-recording.mjs').Measured} measured @param {number} cores */
function cells({ name, duration, service, bare, words, found, told, speakers }, cores) {
  const error = ({ wrong, scored }) => percent(wrong / scored);
  return [
    name,
    `${Math.round(duration)} s`,
    words === null ? '' : `${percent(words.service / words.said)}, ${percent(words.bare / words.said)}`,
    told === null ? `${found}` : `${found} of ${told}`,
    speakers === null ? '' : error(speakers.collar),
    speakers === null ? '' : error(speakers.strict),
    `${(service.seconds / duration).toFixed(2)}, ${(bare.seconds / duration).toFixed(2)}`,
    percent(engineUtilisation(service, cores), 0),
  ];
}

/** Share of all cores that the engine has while a job is under way. */
export function engineUtilisation({ seconds, engineSeconds }, cores) {
  return engineSeconds / seconds / cores;
}

/** @param {number} share @param {number} [digits] */
function percent(share, digits = 1) {
  return `${(100 * share).toFixed(digits)} %`;
}
