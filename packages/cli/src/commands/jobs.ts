import {
  type Job,
  type JobListItem,
  type JobListQuery,
  NotFoundError,
  ValidationError,
  type Zephyr,
} from 'zephyr-client';
import {
  type Command,
  type CliContext,
  getStringOption,
  getStringListOption,
  type OptionValues,
  printJson,
  printSanitizedLine,
} from '../command.js';
import { describeError, EXIT_CODE_BY_NAME, UsageError } from '../errors.js';
import { parseCountFlag, parseMetadataEntry, requireChoice } from '../transcription/job-flags.js';

const FIELDS = ['status', 'duration_seconds', 'metadata', 'reason'];
const STATUSES = ['processing', 'completed', 'failed'] as const;
/** Options of `list` alone. */
const LIST_OPTIONS = ['status', 'metadata', 'limit'] as const;
const MAX_LISTED = 1_000_000;

export const jobsCommand: Command = {
  name: 'jobs',
  summary: 'List, show, cancel and delete jobs',
  usage: 'list | get JOB_ID... | cancel JOB_ID... | delete JOB_ID...',
  description:
    'The list begins with the newest job: time of creation, status, seconds of audio, id, and the name of the file. A deleted job is gone with its audio and transcript, without a question.',
  words: ['list', 'get', 'cancel', 'delete'],
  options: {
    limit: { type: 'string', short: 'n', value: 'N', help: 'list at most N jobs (default 20)' },
    status: {
      type: 'string',
      value: 'STATUS',
      choices: STATUSES,
      help: 'list only jobs that are processing, completed or failed',
    },
    metadata: { type: 'string', multiple: true, value: 'KEY=VALUE', help: 'list only jobs with this entry' },
    json: { type: 'boolean', help: 'print a line of JSON for each job' },
  },
  async run(context, [action, ...ids], options) {
    if (action === 'list') {
      if (ids.length > 0) throw new UsageError('jobs list takes no ids.');
      return listJobs(context, options);
    }
    if (action !== 'get' && action !== 'cancel' && action !== 'delete')
      throw new UsageError(
        `Say what to do: jobs list, jobs get JOB_ID, jobs cancel JOB_ID or jobs delete JOB_ID${action === undefined ? '' : `, not jobs ${action}`}.`,
      );
    const filter = LIST_OPTIONS.find((name) => options[name] !== undefined);
    if (filter !== undefined) throw new UsageError(`--${filter} works with jobs list only.`);
    if (ids.length === 0) throw new UsageError(`jobs ${action} needs the id of a job.`);
    const client = await context.connect(options);
    const { signal } = context;
    let code: number = EXIT_CODE_BY_NAME.ok;
    for (const id of ids)
      try {
        if (action === 'get') printJob(context, await client.jobs.get(id, { signal }), options);
        else printStatus(context, id, await cancelOrDelete(client, action, id, signal), options);
      } catch (error) {
        // Any other error would also fail the next request.
        if (!(error instanceof NotFoundError || error instanceof ValidationError)) throw error;
        code = EXIT_CODE_BY_NAME.failed;
        printSanitizedLine(context.stderr, `${id}: ${describeError(error)}`);
        if (options['json'] === true) printJson(context, { job_id: id, error: describeError(error) });
      }
    return code;
  },
};

async function cancelOrDelete(
  { jobs }: Zephyr,
  action: 'cancel' | 'delete',
  id: string,
  signal: AbortSignal,
): Promise<string> {
  if (action === 'cancel') return (await jobs.cancel(id, { signal })).status;
  await jobs.delete(id, { signal });
  return 'deleted';
}

function printStatus(context: CliContext, id: string, status: string, options: OptionValues): void {
  if (options['json'] === true) printJson(context, { job_id: id, status });
  else printSanitizedLine(context.stdout, `${id} ${status}`);
}

async function listJobs(context: CliContext, options: OptionValues): Promise<number> {
  const limit = parseCountFlag(options, 'limit', 20, MAX_LISTED);
  const status = getStringOption(options, 'status');
  const metadata = getStringListOption(options, 'metadata').map(parseMetadataEntry);
  const query: JobListQuery = {
    limit: Math.min(limit, 100),
    fields: FIELDS,
    ...(status !== undefined && { status: requireChoice('--status', status, STATUSES) }),
    ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata) }),
  };
  const client = await context.connect(options);
  let count = 0;
  for await (const job of client.jobs.list(query, { signal: context.signal })) {
    if (options['json'] === true) printJson(context, job);
    else printSanitizedLine(context.stdout, formatRow(job));
    if (++count === limit || context.stdout.isClosed === true) break;
  }
  if (count === 0) printSanitizedLine(context.stderr, 'There are no such jobs.');
  return EXIT_CODE_BY_NAME.ok;
}

function formatRow({
  created_at: createdAt,
  status,
  duration_seconds: seconds,
  job_id: id,
  metadata,
}: JobListItem): string {
  const length = seconds === null || seconds === undefined ? '-' : seconds.toFixed(1);
  const file = metadata?.['file'] ?? '';
  return `${createdAt.slice(0, 19)}Z  ${(status ?? '').padEnd(10)}  ${length.padStart(8)}  ${id}  ${file}`.trimEnd();
}

function printJob(context: CliContext, job: Job, options: OptionValues): void {
  if (options['json'] === true) return printJson(context, job);
  for (const [name, value] of Object.entries(job))
    if (value !== null)
      printSanitizedLine(
        context.stdout,
        `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
      );
}
