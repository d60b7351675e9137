import { formatMarkdownTable } from '../lib/markdown-table.mjs';

const HEADINGS = [
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
 * One line per recording. The second figure of a cell is that of the bare engine.
 *
 * @param {import('./measure-recording.mjs').Measured[]} measured @param {number} cores
 */
export function formatRecordingTable(measured, cores) {
  return formatMarkdownTable(
    HEADINGS,
    measured.map((each) => formatRow(each, cores)),
  );
}

/** @param {import('./measure-recording.mjs').Measured} measured @param {number} cores */
function formatRow({ name, duration, service, bare, words, found, expected, speakers }, cores) {
  const error = ({ wrong, scored }) => formatPercent(wrong / scored);
  return [
    name,
    `${Math.round(duration)} s`,
    words === null
      ? ''
      : `${formatPercent(words.service / words.reference)}, ${formatPercent(words.bare / words.reference)}`,
    expected === null ? `${found}` : `${found} of ${expected}`,
    speakers === null ? '' : error(speakers.collar),
    speakers === null ? '' : error(speakers.strict),
    `${(service.seconds / duration).toFixed(2)}, ${(bare.seconds / duration).toFixed(2)}`,
    formatPercent(computeEngineUtilisation(service, cores), 0),
  ];
}

/** Share of all cores that the engine uses during a job. */
export function computeEngineUtilisation({ seconds, engineSeconds }, cores) {
  return engineSeconds / seconds / cores;
}

/** @param {number} share @param {number} [digits] */
function formatPercent(share, digits = 1) {
  return `${(100 * share).toFixed(digits)} %`;
}
