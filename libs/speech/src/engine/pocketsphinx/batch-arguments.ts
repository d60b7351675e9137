import type { EnglishModel } from './installation.js';

/** The search as it was found to do best; the figures are in docs/speech/pocketsphinx-settings.md. */
const SEARCH_FLAGS = [
  ['-topn', '8'],
  // The second pass believes the language model as much as the first; usually more, which costs words of real people.
  ['-fwdflatlw', '6.5'],
  // Usually 30,000: a fifth of the time went into what had no chance.
  ['-maxhmmpf', '4000'],
  ['-pl_window', '0'],
  ['-cmn', 'batch'],
  // It costs words on read speech, and gained none on dialogue with faint noise.
  ['-remove_noise', 'no'],
].flat();

/** Newer programs no longer take silence out, and no longer know the flag. Taking it out would shift the times. */
const KEEP_SILENCE_FLAGS = ['-remove_silence', 'no'];

export interface BatchFiles {
  model: EnglishModel;
  /** Folder of the sound. */
  folder: string;
  /** Which files of it to hear: a line each, its name without `.wav`, first and last frame, and a name to print. */
  control: string;
  /** Where the program writes its hypothesis of each, and behind it the words in CTM. */
  words: string;
}

/** The arguments of the program; `known` are the flags of the installed program. */
export function buildBatchArguments(files: BatchFiles, known: ReadonlySet<string>): string[] {
  return [
    ...['-hmm', files.model.acoustic, '-lm', files.model.language, '-dict', files.model.dictionary],
    ...['-adcin', 'yes', '-adchdr', '44', '-cepdir', files.folder, '-cepext', '.wav'],
    ...['-ctl', files.control, '-hyp', files.words, '-ctm', files.words],
    ...SEARCH_FLAGS,
    ...(known.has('-remove_silence') ? KEEP_SILENCE_FLAGS : []),
  ];
}
