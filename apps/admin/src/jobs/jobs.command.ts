import { inTransaction, type JobStatus } from '@app/database';
import { deleteJob, restartOpenStagesOfJob } from '@app/jobs';
import { SubCommand } from 'nest-commander';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { WithOptions, createParentCommandProviders, OperatorCommand } from '../operator-command.js';
import { recordOperatorAction } from '../operator-audit.js';
import { ROW_LIMIT_OPTION, parseChoice } from '../option-values.js';
import { CommandError, formatTable, type JsonOption, printResult, printTableOrJson } from '../output.js';
import {
  ACCOUNT_FILTER_OPTION,
  type AccountCommandOptions,
  assertAccountExists,
} from '../resolve-account.js';
import { cancelJobAsOperator } from './cancel-job-as-operator.js';
import { findJob, type JobRow, listJobEvents, listJobs, listJobStages } from './operator-job.repository.js';

const STATUSES: readonly JobStatus[] = ['processing', 'completed', 'failed'];

interface ListOptions extends AccountCommandOptions {
  status?: JobStatus;
  limit?: number;
}

@SubCommand({ name: 'list', description: 'list jobs, newest first' })
@WithOptions(
  {
    flags: '--status <status>',
    description: STATUSES.join(', '),
    parse: (text, option) => parseChoice(text, option, STATUSES),
  },
  ROW_LIMIT_OPTION,
  ACCOUNT_FILTER_OPTION,
)
export class ListJobsCommand extends OperatorCommand {
  async run(_: string[], options: ListOptions): Promise<void> {
    const { account: accountId, status, limit = 50 } = options;
    const { dataSource } = await this.context.open();
    if (accountId !== undefined) await assertAccountExists(dataSource, accountId);
    printTableOrJson(options, await listJobs(dataSource, { status, accountId, limit }), {
      JOB: 'job_id',
      ACCOUNT: 'account_id',
      STATUS: 'status',
      CREATED: 'created_at',
      STEPS: ({ steps_done, steps_total }) => `${steps_done}/${steps_total ?? '?'}`,
      'FAILED AT': 'failed_stage',
    });
  }
}

@SubCommand({ name: 'show', arguments: '<job_id>', description: 'show a job, its stages and its events' })
export class ShowJobCommand extends OperatorCommand {
  async run([jobId = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    const job = await requireJob(dataSource, jobId);
    const [stages, events] = [await listJobStages(dataSource, jobId), await listJobEvents(dataSource, jobId)];
    printResult(options, { ...job, stages, events }, () =>
      [
        ...Object.entries(job).map(([name, value]) => `${name.padEnd(13)} ${value ?? '-'}`),
        '',
        formatTable(stages, {
          STAGE: 'name',
          STATE: 'state',
          ATTEMPTS: 'attempts',
          CRASHES: 'crashes',
          FENCE: 'fence',
          'LEASE UNTIL': 'lease_until',
          'LAST ERROR': 'last_error',
        }),
        '',
        formatTable(events, { EVENT: 'seq', TYPE: 'type', DATA: ({ data }) => JSON.stringify(data) }),
      ].join('\n'),
    );
  }
}

@SubCommand({
  name: 'retry',
  arguments: '<job_id>',
  description: 'run the open stages of an unfinished job again',
})
export class RetryJobCommand extends OperatorCommand {
  async run([jobId = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    const { status, account_id } = await requireJob(dataSource, jobId);
    if (status !== 'processing')
      throw new CommandError(
        `Job ${jobId} has ${status}: that is final, and its audio is deleted. Create a new job.`,
      );
    const stages = await inTransaction(dataSource, async (tx) => {
      const restarted = await restartOpenStagesOfJob(tx, jobId);
      if (restarted.length === 0)
        throw new CommandError(`Job ${jobId} waits for its upload: there is nothing to retry.`);
      await recordOperatorAction(tx, { accountId: account_id, action: 'job.retried', target: jobId });
      return restarted;
    });
    printResult(options, { job_id: jobId, stages }, () => `Started over: ${stages.join(', ')}.`);
  }
}

@SubCommand({
  name: 'cancel',
  arguments: '<job_id>',
  description: 'cancel a job that is not processed yet; it ends with status failed',
})
export class CancelJobCommand extends OperatorCommand {
  async run([jobId = '']: string[], options: JsonOption): Promise<void> {
    const services = await this.context.open();
    const { dataSource } = services;
    const { account_id: accountId } = await requireJob(dataSource, jobId);
    const isCancelled = await cancelJobAsOperator(services, { id: jobId, accountId });
    const { status, failed_stage } = await requireJob(dataSource, jobId);
    if (!isCancelled)
      throw new CommandError(
        status === 'processing'
          ? `Job ${jobId} is in its last stage, with all of its audio processed: it cannot be cancelled any more.`
          : `Job ${jobId} has ${status}: nothing is left to cancel.`,
      );
    printResult(
      options,
      { job_id: jobId, status, failed_stage },
      () =>
        `Job ${jobId} is cancelled: its status is ${status}, at the stage ${failed_stage}. Chunks that were done are charged.`,
    );
  }
}

@SubCommand({
  name: 'delete',
  arguments: '<job_id>',
  description: 'delete a job with its audio and transcript; one that runs is cancelled',
})
export class DeleteJobCommand extends OperatorCommand {
  async run([jobId = '']: string[], options: JsonOption): Promise<void> {
    const { bootContext, dataSource, jobHooks } = await this.context.open();
    const { account_id: accountId } = await requireJob(dataSource, jobId);
    const { leaseSeconds } = bootContext.config.pipeline;
    const isDeleted = await inTransaction(dataSource, async (tx) => {
      if (!(await deleteJob(tx, jobHooks, jobId, leaseSeconds))) return false;
      await recordOperatorAction(tx, { accountId, action: 'job.deleted', target: jobId });
      return true;
    });
    if (!isDeleted) throw new CommandError(`There is no job ${jobId}.`);
    printResult(
      options,
      { job_id: jobId, status: 'deleted' },
      () =>
        `Job ${jobId} is deleted. A processor deletes its audio and transcript within seconds; the ledger stays.`,
    );
  }
}

export const JOB_COMMANDS = createParentCommandProviders(
  { name: 'jobs', description: 'list, show, retry, cancel and delete jobs' },
  [ListJobsCommand, ShowJobCommand, RetryJobCommand, CancelJobCommand, DeleteJobCommand],
);

async function requireJob(dataSource: DataSource, jobId: string): Promise<JobRow> {
  const job = isUuid(jobId) ? await findJob(dataSource, jobId) : undefined;
  if (!job) throw new CommandError(`There is no job ${jobId}.`);
  return job;
}
