import { readProcessTimes } from './process-times.mjs';
import { median, medianRatio } from './statistics.mjs';

/**
 * Bytes that a server received.
 *
 * @typedef {object} Taken
 * @property {number} seconds until it had all of them
 * @property {number} perSecond megabytes
 * @property {number} cpuSeconds of its processor time
 *
 * @typedef {Record<'ours' | 'baseline', Taken[]>} Sides
 */

/**
 * @param {import('./programs.mjs').Server} server @param {number} bytes that `work` makes it take
 * @param {() => Promise<unknown>} work @returns {Promise<Taken>}
 */
export async function measureTransfer({ pid }, bytes, work) {
  const before = readProcessTimes(pid).own;
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  return { seconds, perSecond: bytes / 1e6 / seconds, cpuSeconds: readProcessTimes(pid).own - before };
}

/**
 * @param {string} what @param {Sides} sides @param {number | null} target for the ratio of the rates
 * @returns {import('./report.mjs').Finding}
 */
export function toRateFinding(what, { ours, baseline }, target) {
  const rate = ({ perSecond }) => perSecond;
  const cell = (rounds) => `${median(rounds.map(rate)).toFixed(0)} MB/s`;
  return {
    what: `${what}: rate`,
    ...{ ours: cell(ours), baseline: cell(baseline) },
    ...{ value: medianRatio(ours, baseline, rate), unit: '', target, bound: 'at least' },
  };
}

/** @param {string} what @param {Sides} sides @returns {import('./report.mjs').Finding} */
export function toCpuTimeFinding(what, { ours, baseline }) {
  const used = ({ cpuSeconds }) => cpuSeconds;
  const cell = (rounds) => `${median(rounds.map(used)).toFixed(2)} s`;
  return {
    what: `${what}: processor time of the server`,
    ...{ ours: cell(ours), baseline: cell(baseline) },
    ...{ value: medianRatio(ours, baseline, used), unit: '', target: null },
  };
}
