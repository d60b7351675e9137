import { readProcessTimes } from './process-times.mjs';
import { median, medianRatio } from './statistics.mjs';

/**
 * @typedef {object} Transfer bytes that a server received
 * @property {number} seconds until it received all
 * @property {number} perSecond megabytes
 * @property {number} cpuSeconds of the server
 *
 * @typedef {Record<'ours' | 'baseline', Transfer[]>} Sides
 */

/**
 * @param {import('./programs.mjs').Server} server @param {number} bytes that `work` sends
 * @param {() => Promise<unknown>} work @returns {Promise<Transfer>}
 */
export async function measureTransfer({ pid }, bytes, work) {
  const before = readProcessTimes(pid).own;
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, perSecond: bytes / 1e6 / seconds, cpuSeconds: readProcessTimes(pid).own - before };
}

/**
 * @param {string} what @param {Sides} sides @param {number | null} target for the ratio of the rates
 * @returns {import('./report.mjs').Finding}
 */
export function toRateFinding(what, { ours, baseline }, target) {
  const rate = ({ perSecond }) => perSecond;
  const formatMedian = (rounds) => `${median(rounds.map(rate)).toFixed(0)} MB/s`;
  return {
    what: `${what}: rate`,
    ...{ ours: formatMedian(ours), baseline: formatMedian(baseline) },
    ...{ value: medianRatio(ours, baseline, rate), unit: '', target, bound: 'at least' },
  };
}

/** @param {string} what @param {Sides} sides @returns {import('./report.mjs').Finding} */
export function toCpuTimeFinding(what, { ours, baseline }) {
  const cpuTime = ({ cpuSeconds }) => cpuSeconds;
  const formatMedian = (rounds) => `${median(rounds.map(cpuTime)).toFixed(2)} s`;
  return {
    what: `${what}: CPU time of the server`,
    ...{ ours: formatMedian(ours), baseline: formatMedian(baseline) },
    ...{ value: medianRatio(ours, baseline, cpuTime), unit: '', target: null },
  };
}
