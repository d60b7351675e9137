import { inTransaction } from '@app/database';
import { cancelJob } from '@app/jobs';

import { SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { CommandRefused, type JsonOption, print } from '../output.js';
import { Workplace } from '../workplace.js';
import { oneJob } from './job-rows.js';

@SubCommand({
  name: 'cancel',
  arguments: '<job_id>',
  description: 'cancel a job that is not processed yet; it ends with status failed',
})
export class CancelJobCommand extends JsonCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run([jobId = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource, effects } = await this.workplace.open();
    await oneJob(dataSource, jobId);
    if (!(await inTransaction(dataSource, (tx) => cancelJob(tx, effects, jobId)))) {
      const { status } = await oneJob(dataSource, jobId);
      throw new CommandRefused(
        status === 'processing'
          ? `Job ${jobId} is in its last stage, with all of its audio processed: it cannot be cancelled any more.`
          : `Job ${jobId} has ${status}: nothing is left to cancel.`,
      );
    }
    const { status, failed_stage } = await oneJob(dataSource, jobId);
    print(
      options,
      { job_id: jobId, status, failed_stage },
      () =>
        `Job ${jobId} is cancelled: its status is ${status}, at the stage ${failed_stage}. Chunks that were done are charged.`,
    );
  }
}
