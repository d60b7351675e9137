import { inTransaction } from '@app/database';
import { cancelJob } from '@app/jobs';

import { SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import { CommandContext } from '../command-context.js';
import { requireJob } from './job-rows.js';

@SubCommand({
  name: 'cancel',
  arguments: '<job_id>',
  description: 'cancel a job that is not processed yet; it ends with status failed',
})
export class CancelJobCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run([jobId = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource, jobHooks: hooks } = await this.context.open();
    await requireJob(dataSource, jobId);
    if (!(await inTransaction(dataSource, (tx) => cancelJob(tx, hooks, jobId)))) {
      const { status } = await requireJob(dataSource, jobId);
      throw new CommandError(
        status === 'processing'
          ? `Job ${jobId} is in its last stage, with all of its audio processed: it cannot be cancelled any more.`
          : `Job ${jobId} has ${status}: nothing is left to cancel.`,
      );
    }
    const { status, failed_stage } = await requireJob(dataSource, jobId);
    printResult(
      options,
      { job_id: jobId, status, failed_stage },
      () =>
        `Job ${jobId} is cancelled: its status is ${status}, at the stage ${failed_stage}. Chunks that were done are charged.`,
    );
  }
}
