import { type JobStatus, queryRows } from '@app/database';
import { retryJob } from '@app/jobs';

import { Command, Option, SubCommand } from 'nest-commander';
import { type AccountOption, AccountFilterCommand, assertAccountExists } from '../account-option.js';
import { CommandGroup, JsonCommand } from '../json-command.js';
import { parseChoice, parseLimit } from '../option-values.js';
import { CommandError, type JsonOption, printResult, formatTable } from '../output.js';
import { CommandContext } from '../command-context.js';
import { CancelJobCommand } from './cancel-job.command.js';
import { loadJobDetails, formatJob, type JobRow, requireJob, SELECT_JOBS } from './job-rows.js';

const STATUSES: readonly JobStatus[] = ['processing', 'completed', 'failed'];

interface ListOptions extends AccountOption {
  status?: JobStatus;
  limit?: number;
}

@SubCommand({ name: 'list', description: 'list jobs, newest first' })
export class ListJobsCommand extends AccountFilterCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], options: ListOptions): Promise<void> {
    const { account, status, limit = 50 } = options;
    const { dataSource } = await this.context.open();
    if (account !== undefined) await assertAccountExists(dataSource, account);
    // The ids are in the order of creation, and their index spares sorting every job there ever was.
    const rows = await queryRows<JobRow>(
      dataSource,
      `${SELECT_JOBS} WHERE ($1::text IS NULL OR status = $1) AND ($2::uuid IS NULL OR account_id = $2)
       ORDER BY id DESC LIMIT $3`,
      [status ?? null, account ?? null, limit],
    );
    printResult(options, rows, () =>
      formatTable(
        ['JOB', 'ACCOUNT', 'STATUS', 'CREATED', 'STEPS', 'FAILED AT'],
        rows.map((row) => [
          row.job_id,
          row.account_id,
          row.status,
          row.created_at,
          `${row.steps_done}/${row.steps_total ?? '?'}`,
          row.failed_stage ?? '-',
        ]),
      ),
    );
  }

  @Option({ flags: '--status <status>', description: STATUSES.join(', ') })
  parseStatus(status: string): JobStatus {
    return parseChoice('--status', STATUSES, status);
  }

  @Option({ flags: '--limit <n>', description: 'number of rows (default 50)' })
  parseLimit(text: string): number {
    return parseLimit(text);
  }
}

@SubCommand({ name: 'show', arguments: '<job_id>', description: 'show a job, its stages and its events' })
export class ShowJobCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run([jobId = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    const details = await loadJobDetails(dataSource, jobId);
    printResult(options, details, () => formatJob(details));
  }
}

@SubCommand({
  name: 'retry',
  arguments: '<job_id>',
  description: 'run the open stages of an unfinished job again',
})
export class RetryJobCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run([jobId = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    const { status } = await requireJob(dataSource, jobId);
    if (status !== 'processing')
      throw new CommandError(
        `Job ${jobId} has ${status}: that is final, and its audio is deleted. Create a new job.`,
      );
    const stages = await retryJob(dataSource, jobId);
    if (stages.length === 0)
      throw new CommandError(`Job ${jobId} waits for its upload: there is nothing to retry.`);
    printResult(options, { job_id: jobId, stages }, () => `Started over: ${stages.join(', ')}.`);
  }
}

const SUB_COMMANDS = [ListJobsCommand, ShowJobCommand, RetryJobCommand, CancelJobCommand];

@Command({ name: 'jobs', description: 'list, show, retry and cancel jobs', subCommands: SUB_COMMANDS })
export class JobsCommand extends CommandGroup {}

export const JOB_COMMANDS = [JobsCommand, ...SUB_COMMANDS];
