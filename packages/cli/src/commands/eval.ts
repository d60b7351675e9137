import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type Command, getStringOption, printJson, printSanitizedLine } from '../command.js';
import { MAX_RETRIES_OF_LONG_COMMANDS, resolveServerUrl } from '../config.js';
import { CommandError, UsageError } from '../errors.js';
import { describeRepeatedInput, describeUnreadablePath, expandInputs } from '../files/expand-inputs.js';
import {
  describeInputWithClashingOutput,
  type InputWithAssignedOutput,
  assignOutputPaths,
} from '../files/assign-output-paths.js';
import { JOB_FLAGS_WITHOUT_SPEAKERS, parseCountFlag, parseJobFlags } from '../transcription/job-flags.js';
import { pathExists } from '../files/path-exists.js';
import { adviseAfterInterruption } from '../transcription/advise-after-interruption.js';
import { transcribeManyInputs } from '../transcription/transcribe-many-inputs.js';
import { removeTimesAndSpeakerLabels } from '../text/remove-times-and-speaker-labels.js';
import {
  sumWordErrorCounts,
  countWordErrors,
  getWordErrorRate,
  splitIntoNormalizedWords,
  type WordErrorCounts,
} from '../text/word-errors.js';

export const evaluateTranscriptsCommand: Command = {
  name: 'eval',
  summary: 'Measure the word error rate of transcripts against references',
  usage: 'FILE|DIR|GLOB...',
  arguments: 'files',
  description: `The reference of talk.mp3 is talk.txt, beside it or in the folder of --references. Each file is transcribed to the folder of \
--transcripts; those that have a transcript there are not transcribed again. Case, punctuation, the times of lines and labels such as \
SPEAKER_1 do not count. Chinese, Japanese, Thai, Lao, Khmer and Burmese are compared by characters. Numbers count as they are written: "7" for "seven" is an error. A reference that is missing or has no words is \
refused.`,
  options: {
    references: {
      type: 'string',
      value: 'DIR',
      help: 'folder of the references (default: beside the files)',
    },
    transcripts: { type: 'string', value: 'DIR', help: 'folder for the transcripts (required)' },
    concurrency: { type: 'string', short: 'c', value: 'N', help: 'files at a time (default 4)' },
    json: { type: 'boolean', help: 'print a line of JSON for each file, and one for all' },
    ...JOB_FLAGS_WITHOUT_SPEAKERS,
  },
  adviseAfterInterruption,
  async run(context, positionals, options) {
    if (positionals.length === 0) throw new UsageError('Name at least one file, folder or pattern.');
    const folder = getStringOption(options, 'transcripts');
    if (folder === undefined) throw new UsageError('Name the folder for the transcripts: --transcripts DIR.');
    const { found, unreadable, repeated } = await expandInputs(positionals);
    const [sealed] = unreadable;
    if (sealed !== undefined) throw new CommandError(describeUnreadablePath(sealed));
    const { placed, leftOut } = await assignOutputPaths(found, { folder, format: 'txt' });
    const [twin] = leftOut;
    if (twin !== undefined) throw new UsageError(describeInputWithClashingOutput(twin));
    for (const each of repeated) printSanitizedLine(context.stderr, describeRepeatedInput(each));
    const references = getStringOption(options, 'references');
    const pairs = await findReferences(placed, folder, references);
    const settings = {
      format: 'txt' as const,
      jobOptions: { ...parseJobFlags(options), speaker_labels: false },
      concurrency: parseCountFlag(options, 'concurrency', 4, 64),
      overwrite: false,
      json: false,
      quiet: false,
      server: await resolveServerUrl(context, options),
      client: await context.connect(options, MAX_RETRIES_OF_LONG_COMMANDS),
    };
    const code = await transcribeManyInputs(context, pairs, settings);
    let total: WordErrorCounts = { words: 0, substitutions: 0, deletions: 0, insertions: 0 };
    const print = (file: string, errors: WordErrorCounts) => {
      const rate = getWordErrorRate(errors);
      if (options['json'] === true) return printJson(context, { file, word_error_rate: rate, ...errors });
      const percent = rate === null ? '-' : `${(rate * 100).toFixed(1)} %`;
      const { words, substitutions, deletions, insertions } = errors;
      printSanitizedLine(
        context.stdout,
        `${percent.padStart(8)}  ${words} words, ${substitutions} wrong, ${deletions} missing, ${insertions} too many  ${file}`,
      );
    };
    for (const { input, output, words } of pairs) {
      if (!(await pathExists(output))) continue;
      const errors = await countWordErrors(words, await readWords(output), context.signal);
      total = sumWordErrorCounts(total, errors);
      print(input, errors);
    }
    if (pairs.length > 1) print('all', total);
    return code;
  },
};

/** @throws CommandError that names all that cannot be used */
async function findReferences(
  placed: readonly InputWithAssignedOutput[],
  folder: string,
  references: string | undefined,
) {
  const pairs: Awaited<ReturnType<typeof findReference>>[] = [];
  const problems: string[] = [];
  for (const each of placed)
    try {
      pairs.push(await findReference(each, folder, references));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      problems.push(error.message);
    }
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  return pairs;
}

async function findReference(found: InputWithAssignedOutput, folder: string, references: string | undefined) {
  const replaceExtension = (path: string) => `${path.slice(0, path.length - extname(path).length)}.txt`;
  const beside = join(dirname(found.input), basename(replaceExtension(found.relativePath)));
  const reference =
    references === undefined ? beside : join(references, replaceExtension(found.relativePath));
  if (!(await pathExists(reference)))
    throw new CommandError(`${found.input} has no reference: ${reference} does not exist.`);
  const words = await readWords(reference);
  if (words.length === 0) throw new CommandError(`${reference} has no words to compare with.`);
  if (found.output === reference)
    throw new UsageError(`--transcripts ${folder} is where the references are.`);
  return { ...found, words };
}

async function readWords(path: string): Promise<string[]> {
  const bytes = await readFile(path);
  if (!isUtf8(bytes)) throw new CommandError(`${path} is no text in UTF-8.`);
  return splitIntoNormalizedWords(removeTimesAndSpeakerLabels(bytes.toString('utf8')));
}
