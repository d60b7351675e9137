import { basename } from 'node:path';
import { CATEGORIES } from './catalog.mjs';

/** @typedef {import('./mutation.mjs').Mutation} Mutation */

/**
 * @typedef {object} Result
 * @property {Mutation} mutation
 * @property {'killed' | 'survived' | 'invalid'} outcome invalid: its test does not pass without the mutation either
 * @property {string} [reason] the first line of the error with which its test failed
 */

const LEGEND = `Each row is a condition in the code, a mutation that removes it, and the test that must fail then.

- killed: the test passes without the mutation and fails with it.
- survived: the test passes with the mutation too.
- invalid: the test does not pass without the mutation either.`;

/**
 * @param {Result[]} results
 * @param {{ finishedAt: Date, minutes: string }} run
 * @returns {string} Markdown
 */
export function renderReport(results, { finishedAt, minutes }) {
  const byMutation = new Map(results.map((result) => [result.mutation, result]));
  const summary = `${countOutcomes(results, 'killed')} of ${results.length} mutations killed, ${countOutcomes(results, 'survived')} survived, ${countOutcomes(results, 'invalid')} invalid; ${minutes} minutes, ended ${finishedAt.toISOString()}.`;
  const sections = CATEGORIES.map((category) => renderCategory(category, byMutation)).filter(Boolean);
  return `${['# Mutation tests', summary, LEGEND, ...sections].join('\n\n')}\n`;
}

const countOutcomes = (results, outcome) => results.filter((result) => result.outcome === outcome).length;

function renderCategory({ title, about, mutations }, byMutation) {
  const rows = mutations.flatMap((mutation) => {
    const result = byMutation.get(mutation);
    return result ? [renderRow(result)] : [];
  });
  if (rows.length === 0) return '';
  const table = [
    '| result | protects | file | mutation | test |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ];
  return `## ${title}\n\n${about}\n\n${table.join('\n')}`;
}

function renderRow({ mutation: { protects, file, change, test, name }, outcome }) {
  const cells = [
    outcome,
    protects,
    formatCode(file),
    change,
    `${formatCode(basename(test))} ${formatCode(name)}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

const formatCode = (text) => `\`${text.replaceAll('|', '\\|')}\``;
