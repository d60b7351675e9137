import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScorer } from './run-scorer.js';

/** Times are in seconds from the start of the file. */
export interface SpokenTurn {
  speaker: string | number;
  start: number;
  end: number;
}

/** Diarization error; shares of the scored time, in percent. */
export interface DiarizationErrors {
  /** The sum of the three below. */
  percent: number;
  missed: number;
  falseAlarm: number;
  confused: number;
  /** Seconds of speech that were scored. */
  scored: number;
}

/**
 * The diarization error rate of md-eval, with the best mapping of speakers.
 *
 * @param collar seconds around each boundary of the reference that are not scored
 * @throws ScorerNotInstalledError, RangeError if the reference has no turns, Error if the report has no score
 */
export async function computeDiarizationErrors(
  reference: readonly SpokenTurn[],
  hypothesis: readonly SpokenTurn[],
  collar: number,
): Promise<DiarizationErrors> {
  if (reference.length === 0) throw new RangeError('The reference has no turns.');
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-md-eval-'));
  try {
    await writeFile(join(folder, 'reference.rttm'), toRttm(reference));
    await writeFile(join(folder, 'hypothesis.rttm'), toRttm(hypothesis));
    await writeFile(join(folder, 'scored.uem'), `file 1 0 ${lastEnd([...reference, ...hypothesis])}\n`);
    const files = ['-r', 'reference.rttm', '-s', 'hypothesis.rttm', '-u', 'scored.uem'];
    return parseMdEvalReport(await runScorer('md-eval.pl', [...files, '-c', String(collar)], folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The end of the scored time: by default md-eval scores no time before or after the reference. */
function lastEnd(turns: readonly SpokenTurn[]): string {
  return Math.max(...turns.map(({ end }) => end)).toFixed(3);
}

function toRttm(turns: readonly SpokenTurn[]): string {
  const lines = turns.map(({ speaker, start, end }) => {
    const times = `${start.toFixed(3)} ${(end - start).toFixed(3)}`;
    return `SPEAKER file 1 ${times} <NA> <NA> speaker_${speaker} <NA> <NA>\n`;
  });
  return lines.join('');
}

/** Parses totals such as `  MISSED SPEAKER TIME = 1.20 secs ( 2.5 percent of scored speaker time)`. */
export function parseMdEvalReport(report: string): DiarizationErrors {
  const scored = /^SCORED SPEAKER TIME =\s*([\d.]+) secs/m.exec(report);
  const parts = ['MISSED SPEAKER TIME', 'FALARM SPEAKER TIME', 'SPEAKER ERROR TIME'].map((name) =>
    new RegExp(`^\\s*${name} =\\s*([\\d.]+) secs`, 'm').exec(report),
  );
  if (!scored || parts.some((part) => part === null)) throw new Error('The report of md-eval has no scores.');
  const seconds = Number(scored[1]);
  const [missed = NaN, falseAlarm = NaN, confused = NaN] = parts.map(
    (part) => (100 * Number(part?.[1])) / seconds,
  );
  return { percent: missed + falseAlarm + confused, missed, falseAlarm, confused, scored: seconds };
}
