import type { EnglishModel } from './model.js';

/** The search as it was found to do best; the figures are in docs/speech/pocketsphinx-settings.md. */
const SEARCH = [
  ['-topn', '8'],
  ['-pl_window', '0'],
  ['-cmn', 'batch'],
  // It costs words on read speech, and gained none on dialogue with faint noise.
  ['-remove_noise', 'no'],
  // Digital silence has no logarithm.
  ['-dither', 'yes'],
  // The same noise each time, so that the same chunk gives the same words.
  ['-seed', '1'],
].flat();

/** Newer programs no longer take silence out, and no longer know the flag. Taking it out would shift the times. */
const KEEP_SILENCE = ['-remove_silence', 'no'];

export interface BatchFiles {
  model: EnglishModel;
  /** Folder of the chunk, which is `<name>.wav` in it. */
  folder: string;
  control: string;
  words: string;
}

/** The arguments for one chunk; `known` are the flags of the installed program. */
export function batchArguments(files: BatchFiles, known: ReadonlySet<string>): string[] {
  return [
    ...['-hmm', files.model.acoustic, '-lm', files.model.language, '-dict', files.model.dictionary],
    ...['-adcin', 'yes', '-adchdr', '44', '-cepdir', files.folder, '-cepext', '.wav'],
    ...['-ctl', files.control, '-ctm', files.words],
    ...SEARCH,
    ...(known.has('-remove_silence') ? KEEP_SILENCE : []),
  ];
}
