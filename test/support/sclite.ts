import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { normalizeText } from './normalize-text.js';
import { runScorer } from './run-scorer.js';

export interface WordErrors {
  /** Errors for each hundred words of the reference; more than 100 is possible. */
  percent: number;
  errors: number;
  /** Words in the reference. */
  words: number;
  substitutions: number;
  deletions: number;
  insertions: number;
}

/**
 * The word error rate of sclite between both texts after `normalizeText`.
 *
 * @throws ScorerNotInstalledError, RangeError if the reference has no words, Error if the report has no score
 */
export async function computeWordErrors(reference: string, hypothesis: string): Promise<WordErrors> {
  const expected = normalizeText(reference);
  if (expected === '') throw new RangeError('The reference has no words.');
  return parseScliteReport(await runSclite(expected, normalizeText(hypothesis)));
}

async function runSclite(expected: string, recognized: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-sclite-'));
  try {
    await writeFile(join(folder, 'reference.trn'), `${expected} (text_1)\n`);
    await writeFile(join(folder, 'hypothesis.trn'), `${recognized} (text_1)\n`);
    const references = ['-r', 'reference.trn', 'trn', '-h', 'hypothesis.trn', 'trn'];
    const options = ['-i', 'rm', '-e', 'utf-8', '-o', 'pralign', 'stdout'];
    return await runScorer('sclite', [...references, ...options], folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Parses the line `Scores: (#C #S #D #I) 10 2 1 0` of an alignment report. */
export function parseScliteReport(report: string): WordErrors {
  const line = /^Scores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)/m.exec(report);
  if (!line) throw new Error('The report of sclite has no scores.');
  const [correct = 0, substitutions = 0, deletions = 0, insertions = 0] = line.slice(1).map(Number);
  const words = correct + substitutions + deletions;
  const errors = substitutions + deletions + insertions;
  return { percent: (100 * errors) / words, errors, words, substitutions, deletions, insertions };
}
