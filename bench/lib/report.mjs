import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/root.mjs';
import { formatMarkdownTable } from './markdown-table.mjs';

const README = new URL('../README.md', import.meta.url);

/**
 * @typedef {object} Finding one line of the table
 * @property {string} what
 * @property {string} ours
 * @property {string} baseline
 * @property {number | null} value compared with the target, in `unit`
 * @property {string} unit printed after the value
 * @property {number | null} target null if there is none
 * @property {'at least' | 'at most'} [bound]
 *
 * @typedef {object} Result
 * @property {string} name
 * @property {string} setting describes the measurement in a sentence
 * @property {Finding[]} findings
 * @property {unknown} rounds all measurements
 */

/** @param {Finding} finding @returns {boolean | null} null without a target */
export function isTargetMet({ value, target, bound }) {
  if (target === null || value === null) return null;
  return bound === 'at most' ? value <= target : value >= target;
}

/** @param {Result} result */
export function formatResult({ setting, findings }) {
  return `${setting}\n\n${formatFindings(findings)}`;
}

/** @param {Finding[]} findings @returns {string} their table, in Markdown */
export function formatFindings(findings) {
  const head = ['measured', 'ours', 'baseline', 'figure', 'target', 'met'];
  return formatMarkdownTable(head, findings.map(formatRow));
}

/** @param {Finding} finding */
function formatRow(finding) {
  const { what, ours, baseline, value, unit, target, bound } = finding;
  const met = isTargetMet(finding);
  return [
    what,
    ours,
    baseline,
    value === null ? '' : formatValue(value, unit),
    target === null ? '' : `${bound} ${formatValue(target, unit)}`,
    met === null ? '' : met ? 'yes' : 'NO',
  ];
}

/** @param {number} value @param {string} unit */
function formatValue(value, unit) {
  const digits = unit === ' %' ? 1 : 2;
  return `${value.toFixed(Number.isInteger(value) && unit !== '' ? 0 : digits)}${unit}`;
}

/**
 * Writes all measurements with machine and time to `.cache/bench`; those of short rounds to a file of their own.
 *
 * @param {{ name: string, quick?: boolean }} result
 */
export async function saveResult(result) {
  const folder = join(ROOT, '.cache', 'bench');
  await mkdir(folder, { recursive: true });
  const stored = { ...result, ...describeMachine() };
  const file = `${result.name}${result.quick ? '-quick' : ''}.json`;
  await writeFile(join(folder, file), `${JSON.stringify(stored, null, 2)}\n`);
}

function describeMachine() {
  return {
    date: new Date().toISOString(),
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    node: process.versions.node,
  };
}

/**
 * Writes a report between two markers in bench/README.md: `<!-- last table of http -->` and `<!-- end of last table of http -->`.
 *
 * @param {string} report @param {string} name in the markers, such as `last table of http`
 */
export async function writeReportToReadme(report, name) {
  const { date, cores, processor, node } = describeMachine();
  const text = await readFile(README, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [before, rest] = splitAtMarker(text, begin);
  const [, after] = splitAtMarker(rest, end);
  const machine = `Measured ${date.slice(0, 10)} on ${cores} cores (${processor.trim()}), Node ${node}.`;
  // A report without a sentence begins with its table.
  const separator = report.startsWith('|') ? '\n\n' : ' ';
  await writeFile(README, `${before}${begin}\n\n${machine}${separator}${report}\n\n${end}${after}`);
}

/** @param {string} text @param {string} marker */
function splitAtMarker(text, marker) {
  const at = text.indexOf(marker);
  if (at < 0) throw new Error(`bench/README.md has no marker ${marker}`);
  return [text.slice(0, at), text.slice(at + marker.length)];
}
