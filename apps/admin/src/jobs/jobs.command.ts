import { type JobStatus, rowsOf } from '@app/database';
import { retryJob } from '@app/jobs';
import { Inject } from '@nestjs/common';
import { Command, Option, SubCommand } from 'nest-commander';
import { CommandGroup, JsonCommand } from '../json-command.js';
import { parseChoice, parseLimit } from '../option-values.js';
import { CommandRefused, type JsonOption, print, table } from '../output.js';
import { Workplace } from '../workplace.js';
import { jobDetails, jobText, type JobRow, oneJob, SELECT_JOBS } from './job-rows.js';

const STATUSES: readonly JobStatus[] = ['processing', 'completed', 'failed'];

interface ListOptions extends JsonOption {
  status?: JobStatus;
  limit?: number;
}

@SubCommand({ name: 'list', description: 'newest jobs first' })
export class ListJobsCommand extends JsonCommand {
  constructor(@Inject(Workplace) private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: ListOptions): Promise<void> {
    const { dataSource } = await this.workplace.open();
    // The ids are in the order of creation, and their index spares sorting every job there ever was.
    const rows = await rowsOf<JobRow>(
      dataSource,
      `${SELECT_JOBS} WHERE $1::text IS NULL OR status = $1 ORDER BY id DESC LIMIT $2`,
      [options.status ?? null, options.limit ?? 50],
    );
    print(options, rows, () =>
      table(
        ['JOB', 'STATUS', 'CREATED', 'STEPS', 'FAILED AT'],
        rows.map((row) => [
          row.job_id,
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

  @Option({ flags: '--limit <n>', description: 'at most so many (default 50)' })
  parseLimit(text: string): number {
    return parseLimit(text);
  }
}

@SubCommand({ name: 'show', arguments: '<job_id>', description: 'a job, its stages and its events' })
export class ShowJobCommand extends JsonCommand {
  constructor(@Inject(Workplace) private readonly workplace: Workplace) {
    super();
  }

  async run([jobId = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.workplace.open();
    const details = await jobDetails(dataSource, jobId);
    print(options, details, () => jobText(details));
  }
}

@SubCommand({
  name: 'retry',
  arguments: '<job_id>',
  description: 'start the open stages of an unfinished job over',
})
export class RetryJobCommand extends JsonCommand {
  constructor(@Inject(Workplace) private readonly workplace: Workplace) {
    super();
  }

  async run([jobId = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.workplace.open();
    const { status } = await oneJob(dataSource, jobId);
    if (status !== 'processing')
      throw new CommandRefused(
        `Job ${jobId} has ${status}: that is final, and its audio is deleted. Create it anew.`,
      );
    const stages = await retryJob(dataSource, jobId);
    if (stages.length === 0)
      throw new CommandRefused(`Job ${jobId} waits for its upload: there is nothing to retry.`);
    print(options, { job_id: jobId, stages }, () => `Started over: ${stages.join(', ')}.`);
  }
}

@Command({
  name: 'jobs',
  description: 'what the service is working on',
  subCommands: [ListJobsCommand, ShowJobCommand, RetryJobCommand],
})
export class JobsCommand extends CommandGroup {}
