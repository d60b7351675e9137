import { type Command, getStringOption, printSanitizedLine } from '../command.js';
import { MAX_RETRIES_OF_LONG_COMMANDS, resolveServerUrl } from '../config.js';
import { EXIT_CODE_BY_NAME, UsageError } from '../errors.js';
import { describeRepeatedInput, describeUnreadablePath, expandInputs } from '../files/expand-inputs.js';
import { describeInputWithClashingOutput } from '../files/assign-output-paths.js';
import { planTranscriptOutputs } from '../files/plan-outputs.js';
import {
  FORMAT_FLAG,
  JOB_FLAGS,
  parseCountFlag,
  parseFormatFlag,
  parseJobFlags,
} from '../transcription/job-flags.js';
import { adviseAfterInterruption } from '../transcription/advise-after-interruption.js';
import { transcribeManyInputs } from '../transcription/transcribe-many-inputs.js';

const MAX_CONCURRENCY = 64;

export const transcribeCommand: Command = {
  name: 'transcribe',
  summary: 'Transcribe files, folders, patterns, addresses or standard input',
  usage: 'FILE|DIR|GLOB|URL|-...',
  arguments: 'files',
  description: `One input is written to standard output, or to the file or folder of -o. Several are each written to a file with the \
name of the input and the extension of the format: beside the input, or in the folder of -o. Files whose transcript exists are skipped; \
standard input is refused then. If a talk.mp3 and a talk.wav would both become talk.txt, one does, and the transcript of the other is named talk.wav.txt. \
Folders are searched deeply for files with the extension of audio or video.

If the command is interrupted, run it again: an upload goes on where it was, and a job that exists is not made twice. \
With --overwrite, name only the files that are not done: the others would be transcribed, and charged, again.`,
  options: {
    output: {
      type: 'string',
      short: 'o',
      value: 'PATH',
      help: 'file or folder for the transcripts; - is standard output',
    },
    format: FORMAT_FLAG,
    concurrency: { type: 'string', short: 'c', value: 'N', help: 'files at a time (default 4)' },
    overwrite: { type: 'boolean', help: 'do not skip files whose transcript exists' },
    json: { type: 'boolean', help: 'print a line of JSON about each file; needs -o or several inputs' },
    quiet: { type: 'boolean', short: 'q', help: 'print errors only' },
    ...JOB_FLAGS,
  },
  adviseAfterInterruption,
  async run(context, positionals, options) {
    if (positionals.length === 0)
      throw new UsageError('Name at least one file, folder, pattern or address, or -.');
    const format = parseFormatFlag(options);
    const settings = {
      format,
      jobOptions: parseJobFlags(options),
      concurrency: parseCountFlag(options, 'concurrency', 4, MAX_CONCURRENCY),
      overwrite: options['overwrite'] === true,
      json: options['json'] === true,
      quiet: options['quiet'] === true,
    };
    const { found, unreadable, repeated } = await expandInputs(positionals);
    const { planned, leftOut } = await planTranscriptOutputs(found, {
      target: getStringOption(options, 'output'),
      format,
    });
    if (settings.json && planned.some(({ output }) => output === undefined))
      throw new UsageError(
        '--json prints about files, so it needs -o: the transcript itself goes to standard output.',
      );
    if (
      planned.some(({ output }) => output === undefined) &&
      ['docx', 'pdf'].includes(format) &&
      context.stdout.isTTY === true
    )
      throw new UsageError(`A ${format} is no text for a terminal: name a file with -o.`);
    const client = await context.connect(options, MAX_RETRIES_OF_LONG_COMMANDS);
    const server = await resolveServerUrl(context, options);
    if (!settings.quiet)
      for (const each of repeated) printSanitizedLine(context.stderr, describeRepeatedInput(each));
    const problems = [
      ...unreadable.map(describeUnreadablePath),
      ...leftOut.map(describeInputWithClashingOutput),
    ];
    for (const problem of problems) printSanitizedLine(context.stderr, problem);
    const code = await transcribeManyInputs(context, planned, { ...settings, client, server });
    return problems.length > 0 ? EXIT_CODE_BY_NAME.failed : code;
  },
};
