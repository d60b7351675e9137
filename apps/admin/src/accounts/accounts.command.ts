import { MAX_ACCOUNT_NAME_LENGTH, setAccountSuspended } from '@app/auth';
import { createAccount } from '@app/billing';
import { inTransaction } from '@app/database';
import { SubCommand } from 'nest-commander';
import type { AdminServices } from '../lazy-admin-services.js';
import { cancelJobAsOperator } from '../jobs/cancel-job-as-operator.js';
import { findOpenJobIdsOfAccount } from '../jobs/operator-job.repository.js';
import { WithOptions, createParentCommandProviders, OperatorCommand } from '../operator-command.js';
import { recordOperatorAction } from '../operator-audit.js';
import { parseName } from '../option-values.js';
import { CommandError, type JsonOption, printResult, printTableOrJson } from '../output.js';
import { assertAccountExists } from '../resolve-account.js';
import { listAccounts } from './operator-account.repository.js';
import { AccountQuotasCommand } from './quotas.command.js';
import { AccountRetentionCommand } from './retention.command.js';
import { AccountTwoFactorsCommand } from './two-factors.command.js';

@SubCommand({ name: 'list', description: 'list accounts: keys, balance, credits held, suspended or not' })
export class ListAccountsCommand extends OperatorCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    printTableOrJson(options, await listAccounts(dataSource), {
      ACCOUNT: 'account_id',
      NAME: 'name',
      KEYS: 'keys',
      BALANCE: 'balance',
      HELD: 'held',
      SUSPENDED: 'suspended_at',
      'RETENTION DAYS': 'transcript_retention_days',
      'TWO FACTORS': 'requires_two_factors',
      CREATED: 'created_at',
    });
  }
}

const FIRST_KEY = 'first key';

@SubCommand({
  name: 'create',
  arguments: '<name>',
  description: 'create an account with one API key; prints {"account_id", "api_key"}',
})
@WithOptions({
  flags: '--credits <n>',
  description: 'opening balance in whole credits (default 0)',
  parse: parseOpeningBalance,
})
export class CreateAccountCommand extends OperatorCommand {
  /** Only this output contains the key. */
  async run([given = '']: string[], { credits = 0 }: { credits?: number }): Promise<void> {
    const name = parseName(given, 'The name of the account', MAX_ACCOUNT_NAME_LENGTH);
    const { dataSource, apiKeys } = await this.context.openOrCreate();
    const created = await dataSource.transaction(async (tx) => {
      const account_id = await createAccount(tx, name, credits);
      const { keyId, apiKey: api_key } = await apiKeys.create(account_id, FIRST_KEY, tx);
      await recordOperatorAction(tx, { accountId: account_id, action: 'account.created', details: { name } });
      const details = { name: FIRST_KEY };
      await recordOperatorAction(tx, {
        accountId: account_id,
        action: 'key.created',
        target: keyId,
        details,
      });
      return { account_id, api_key };
    });
    process.stdout.write(`${JSON.stringify(created)}\n`);
  }
}

@SubCommand({
  name: 'suspend',
  arguments: '<account_id>',
  description: 'reject all keys of an account (401); its jobs continue',
})
@WithOptions({ flags: '--cancel-jobs', description: 'also cancel its open jobs' })
export class SuspendAccountCommand extends OperatorCommand {
  /** Keys are rejected first, so that no job is created after the cancellation. */
  async run([id = '']: string[], options: JsonOption & { cancelJobs?: boolean }): Promise<void> {
    const services = await this.context.open();
    await assertAccountExists(services.dataSource, id);
    const isChanged = await inTransaction(services.dataSource, async (tx) => {
      if (!(await setAccountSuspended(tx, id, true))) return false;
      await recordOperatorAction(tx, { accountId: id, action: 'account.suspended', target: id });
      return true;
    });
    if (!isChanged && !options.cancelJobs) throw new CommandError(`Account ${id} is suspended already.`);
    const cancelled = options.cancelJobs ? await cancelOpenJobs(services, id) : 0;
    const result = { account_id: id, suspended: true, jobs_cancelled: cancelled };
    printResult(options, result, () => `Account ${id} is suspended; ${cancelled} jobs were cancelled.`);
  }
}

@SubCommand({ name: 'resume', arguments: '<account_id>', description: 'accept the keys of an account again' })
export class ResumeAccountCommand extends OperatorCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    await assertAccountExists(dataSource, id);
    await inTransaction(dataSource, async (tx) => {
      if (!(await setAccountSuspended(tx, id, false)))
        throw new CommandError(`Account ${id} is not suspended.`);
      await recordOperatorAction(tx, { accountId: id, action: 'account.resumed', target: id });
    });
    const result = { account_id: id, suspended: false };
    printResult(options, result, () => `The keys of account ${id} are accepted again.`);
  }
}

export const ACCOUNT_COMMANDS = createParentCommandProviders(
  {
    name: 'accounts',
    description:
      'create, list, suspend and resume accounts, and set their retention, quotas and required factors',
  },
  [
    ListAccountsCommand,
    CreateAccountCommand,
    SuspendAccountCommand,
    ResumeAccountCommand,
    AccountRetentionCommand,
    AccountQuotasCommand,
    AccountTwoFactorsCommand,
  ],
);

/** @returns the number of cancelled jobs; a job in its last stage continues */
async function cancelOpenJobs(services: AdminServices, accountId: string): Promise<number> {
  let cancelled = 0;
  for (const id of await findOpenJobIdsOfAccount(services.dataSource, accountId))
    if (await cancelJobAsOperator(services, { id, accountId }, { account_suspended: true })) cancelled += 1;
  return cancelled;
}

function parseOpeningBalance(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new CommandError('--credits takes a whole number, not negative.');
  return Number(text);
}
