import { type Command, getStringOption, printSanitizedLine } from '../command.js';
import { EXIT_CODE_BY_NAME, UsageError } from '../errors.js';
import { writeFileOrDevice } from '../files/write-file.js';
import { FORMAT_FLAG, parseFormatFlag } from '../transcription/job-flags.js';
import { toTranscriptFileContent } from '../transcription/transcribe-input.js';

export const transcriptCommand: Command = {
  name: 'transcript',
  summary: 'Print the transcript of a job, in any format',
  usage: 'JOB_ID',
  description: 'Waits until the job has ended. Another format than that of the job costs nothing.',
  options: {
    format: FORMAT_FLAG,
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      help: 'write to this file instead of standard output',
    },
  },
  async run(context, [jobId, ...rest], options) {
    if (jobId === undefined || rest.length > 0) throw new UsageError('Name one job.');
    const format = parseFormatFlag(options);
    const output = getStringOption(options, 'output');
    if (output === undefined && context.stdout.isTTY === true && ['docx', 'pdf'].includes(format))
      throw new UsageError(`A ${format} is no text for a terminal: name a file with -o.`);
    const client = await context.connect(options);
    const { signal } = context;
    const { status } = await client.jobs.get(jobId, { signal });
    if (status === 'processing') {
      printSanitizedLine(context.stderr, `Job ${jobId} has not ended yet. Waiting for its transcript.`);
      await client.jobs.wait(jobId, { signal });
    }
    const content = toTranscriptFileContent(await client.transcripts.get(jobId, { format, signal }));
    if (output === undefined || output === '-') context.stdout.write(content);
    else await writeFileOrDevice(output, content);
    return EXIT_CODE_BY_NAME.ok;
  },
};
