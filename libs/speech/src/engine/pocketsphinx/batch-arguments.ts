import type { EnglishModelPaths } from './installation.js';

/** Tuned; the measurements are in docs/speech/pocketsphinx-settings.md. */
const SEARCH_FLAGS = [
  ['-topn', '8'],
  // The same language weight in the second pass as in the first. The higher default loses words of real speakers.
  ['-fwdflatlw', '6.5'],
  // The default of 30,000 spends a fifth of the time on hopeless hypotheses.
  ['-maxhmmpf', '4000'],
  ['-pl_window', '0'],
  ['-cmn', 'batch'],
  // Noise removal loses words on read speech, and gains none on dialogue with faint noise.
  ['-remove_noise', 'no'],
].flat();

/** Removing silence would shift the times. Newer versions neither do so nor know the flag. */
const KEEP_SILENCE_FLAGS = ['-remove_silence', 'no'];

export interface BatchFilePaths {
  model: EnglishModelPaths;
  folder: string;
  /** File or pipe with a line per utterance: file name without `.wav`, first and last frame, id. */
  control: string;
  /** File or pipe for the hypothesis of each utterance, followed by its words in CTM. */
  words: string;
}

/** @param known flags of the installed program */
export function buildBatchArguments(files: BatchFilePaths, known: ReadonlySet<string>): string[] {
  return [
    ...['-hmm', files.model.acoustic, '-lm', files.model.language, '-dict', files.model.dictionary],
    ...['-adcin', 'yes', '-adchdr', '44', '-cepdir', files.folder, '-cepext', '.wav'],
    ...['-ctl', files.control, '-hyp', files.words, '-ctm', files.words],
    ...SEARCH_FLAGS,
    ...(known.has('-remove_silence') ? KEEP_SILENCE_FLAGS : []),
  ];
}
