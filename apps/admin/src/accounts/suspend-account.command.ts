import { setAccountSuspended } from '@app/auth';
import { inTransaction, queryRows } from '@app/database';
import { cancelJob } from '@app/jobs';

import { Option, SubCommand } from 'nest-commander';
import { assertAccountExists } from '../account-option.js';
import { JsonCommand } from '../json-command.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import { type AdminServices, CommandContext } from '../command-context.js';

interface SuspendOptions extends JsonOption {
  cancelJobs?: boolean;
}

@SubCommand({
  name: 'suspend',
  arguments: '<account_id>',
  description: 'reject all keys of an account (401); its jobs continue',
})
export class SuspendAccountCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  /** The keys end first, so that no job is created behind the cancellations. */
  async run([id = '']: string[], options: SuspendOptions): Promise<void> {
    const tools = await this.context.open();
    await assertAccountExists(tools.dataSource, id);
    const changed = await setAccountSuspended(tools.dataSource, id, true);
    if (!changed && !options.cancelJobs) throw new CommandError(`Account ${id} is suspended already.`);
    const cancelled = options.cancelJobs ? await cancelOpenJobs(tools, id) : 0;
    const told = { account_id: id, suspended: true, jobs_cancelled: cancelled };
    printResult(options, told, () => `Account ${id} is suspended; ${cancelled} jobs were cancelled.`);
  }

  @Option({ flags: '--cancel-jobs', description: 'also cancel its open jobs' })
  parseCancelJobs(): boolean {
    return true;
  }
}

@SubCommand({ name: 'resume', arguments: '<account_id>', description: 'accept the keys of an account again' })
export class ResumeAccountCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run([id = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    await assertAccountExists(dataSource, id);
    if (!(await setAccountSuspended(dataSource, id, false)))
      throw new CommandError(`Account ${id} is not suspended.`);
    printResult(
      options,
      { account_id: id, suspended: false },
      () => `The keys of account ${id} are accepted again.`,
    );
  }
}

/** As the API does it, one after the other. @returns how many; a job in its last stage goes on to its end */
async function cancelOpenJobs(
  { dataSource, jobHooks: hooks }: AdminServices,
  accountId: string,
): Promise<number> {
  const open = await queryRows<{ id: string }>(
    dataSource,
    `SELECT id FROM job WHERE account_id = $1 AND status = 'processing' ORDER BY id`,
    [accountId],
  );
  let cancelled = 0;
  for (const { id } of open)
    if (await inTransaction(dataSource, (tx) => cancelJob(tx, hooks, id))) cancelled += 1;
  return cancelled;
}
