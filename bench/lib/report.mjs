import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/root.mjs';
import { formatMarkdownTable } from './markdown-table.mjs';

const README = new URL('../README.md', import.meta.url);

/**
 * The result of a benchmark.
 *
 * @typedef {object} Finding one line of the table
 * @property {string} what
 * @property {string} ours
 * @property {string} baseline
 * @property {number | null} value what is compared with the target, in `unit`
 * @property {string} unit shown behind the value
 * @property {number | null} target null where a line only informs
 * @property {'at least' | 'at most'} [bound]
 *
 * @typedef {object} Result
 * @property {string} name
 * @property {string} setting what was measured, in a sentence
 * @property {Finding[]} findings
 * @property {unknown} rounds everything that was measured
 */

/** @param {Finding} finding @returns {boolean | null} null where there is no target */
export function isTargetMet({ value, target, bound }) {
  if (target === null || value === null) return null;
  return bound === 'at most' ? value <= target : value >= target;
}

/** A Markdown table of all results. @param {Pick<Result, 'findings'>[]} results */
export function formatFindingsTable(results) {
  const head = ['measured', 'ours', 'baseline', 'figure', 'target', 'met'];
  return formatMarkdownTable(
    head,
    results.flatMap(({ findings }) => findings.map(cells)),
  );
}

/** @param {Finding} finding */
function cells(finding) {
  const { what, ours, baseline, value, unit, target, bound } = finding;
  const met = isTargetMet(finding);
  return [
    what,
    ours,
    baseline,
    value === null ? '' : figure(value, unit),
    target === null ? '' : `${bound} ${figure(target, unit)}`,
    met === null ? '' : met ? 'yes' : 'NO',
  ];
}

/** @param {number} value @param {string} unit */
function figure(value, unit) {
  const digits = unit === ' %' ? 1 : 2;
  return `${value.toFixed(Number.isInteger(value) && unit !== '' ? 0 : digits)}${unit}`;
}

/** Writes all measurements with machine and time to `.cache/bench`. @param {{ name: string }} result */
export async function saveResult(result) {
  const folder = join(ROOT, '.cache', 'bench');
  await mkdir(folder, { recursive: true });
  const kept = { ...result, ...describeMachine() };
  await writeFile(join(folder, `${result.name}.json`), `${JSON.stringify(kept, null, 2)}\n`);
}

/** Machine and time of a measurement. */
function describeMachine() {
  return {
    date: new Date().toISOString(),
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    node: process.versions.node,
  };
}

/**
 * Puts a report between two marks in bench/README.md: `<!-- last table -->` and `<!-- end of last table -->`.
 *
 * @param {string} report @param {string} [what] as the marks call it
 */
export async function writeTableToReadme(report, what = 'last table') {
  const { date, cores, processor, node } = describeMachine();
  const text = await readFile(README, 'utf8');
  const [begin, end] = [`<!-- ${what} -->`, `<!-- end of ${what} -->`];
  const [before, rest] = split(text, begin);
  const [, after] = split(rest, end);
  const machine = `Measured ${date.slice(0, 10)} on ${cores} cores (${processor.trim()}), Node ${node}.`;
  await writeFile(README, `${before}${begin}\n\n${machine}\n\n${report}\n\n${end}${after}`);
}

/** @param {string} text @param {string} mark */
function split(text, mark) {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`bench/README.md has lost its mark ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
