import { setAccountSuspended } from '@app/auth';
import { inTransaction, queryRows } from '@app/database';
import { cancelJob } from '@app/jobs';

import { Option, SubCommand } from 'nest-commander';
import { accountMustExist } from '../account-option.js';
import { JsonCommand } from '../json-command.js';
import { CommandRefused, type JsonOption, print } from '../output.js';
import { type Tools, Workplace } from '../workplace.js';

interface SuspendOptions extends JsonOption {
  cancelJobs?: boolean;
}

@SubCommand({
  name: 'suspend',
  arguments: '<account_id>',
  description: 'reject all keys of an account (401); its jobs continue',
})
export class SuspendAccountCommand extends JsonCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  /** The keys end first, so that no job is created behind the cancellations. */
  async run([id = '']: string[], options: SuspendOptions): Promise<void> {
    const tools = await this.workplace.open();
    await accountMustExist(tools.dataSource, id);
    const changed = await setAccountSuspended(tools.dataSource, id, true);
    if (!changed && !options.cancelJobs) throw new CommandRefused(`Account ${id} is suspended already.`);
    const cancelled = options.cancelJobs ? await cancelJobsOf(tools, id) : 0;
    const told = { account_id: id, suspended: true, jobs_cancelled: cancelled };
    print(options, told, () => `Account ${id} is suspended; ${cancelled} jobs were cancelled.`);
  }

  @Option({ flags: '--cancel-jobs', description: 'also cancel its open jobs' })
  parseCancelJobs(): boolean {
    return true;
  }
}

@SubCommand({ name: 'resume', arguments: '<account_id>', description: 'accept the keys of an account again' })
export class ResumeAccountCommand extends JsonCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run([id = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.workplace.open();
    await accountMustExist(dataSource, id);
    if (!(await setAccountSuspended(dataSource, id, false)))
      throw new CommandRefused(`Account ${id} is not suspended.`);
    print(
      options,
      { account_id: id, suspended: false },
      () => `The keys of account ${id} are accepted again.`,
    );
  }
}

/** As the API does it, one after the other. @returns how many; a job in its last stage goes on to its end */
async function cancelJobsOf({ dataSource, effects }: Tools, accountId: string): Promise<number> {
  const open = await queryRows<{ id: string }>(
    dataSource,
    `SELECT id FROM job WHERE account_id = $1 AND status = 'processing' ORDER BY id`,
    [accountId],
  );
  let cancelled = 0;
  for (const { id } of open)
    if (await inTransaction(dataSource, (tx) => cancelJob(tx, effects, id))) cancelled += 1;
  return cancelled;
}
