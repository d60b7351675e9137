import type { EnglishModel } from '../english-model.js';

export interface AlignFiles {
  model: EnglishModel;
  /** Folder of the chunk, which is `<name>.wav` in it, and of the graphs. */
  folder: string;
  dictionary: string;
  control: string;
  graphs: string;
  words: string;
}

/** The ending of the files with graphs. */
export const GRAPH_EXTENSION = '.fsg';

/**
 * The words are known and only their places are looked for, so one pass does, and a wide beam costs little: what an
 * engine wrote is sometimes not quite what was said, and the way through must not be lost there.
 */
const SEARCH_FLAGS = [
  ['-fwdflat', 'no'],
  ['-bestpath', 'no'],
  ['-beam', '1e-120'],
  ['-pbeam', '1e-120'],
  ['-wbeam', '1e-100'],
  ['-cmn', 'batch'],
  ['-remove_noise', 'no'],
  ['-dither', 'yes'],
  ['-seed', '1'],
].flat();

/** The arguments for the stretches of one chunk; `known` are the flags of the installed program. */
export function buildAlignArguments(files: AlignFiles, known: ReadonlySet<string>): string[] {
  return [
    ...['-hmm', files.model.acoustic, '-dict', files.dictionary],
    ...['-fsgdir', files.folder, '-fsgext', GRAPH_EXTENSION, '-fsgctl', files.graphs],
    ...['-adcin', 'yes', '-adchdr', '44', '-cepdir', files.folder, '-cepext', '.wav'],
    ...['-ctl', files.control, '-ctm', files.words],
    ...SEARCH_FLAGS,
    ...(known.has('-remove_silence') ? ['-remove_silence', 'no'] : []),
  ];
}
