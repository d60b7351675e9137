import { Account } from '@app/database';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { CommandOption } from './operator-command.js';
import { CommandError, type JsonOption } from './output.js';

const MAX_ACCOUNTS_LISTED = 5;

export interface AccountCommandOptions extends JsonOption {
  account?: string;
}

export const ACCOUNT_OPTION: CommandOption = {
  flags: '--account <id>',
  description: 'the account; optional if there is only one',
  parse: parseAccountId,
};
export const ACCOUNT_FILTER_OPTION: CommandOption = { ...ACCOUNT_OPTION, description: 'only this account' };

/** @throws CommandError if it is no id */
function parseAccountId(id: string): string {
  if (!isUuid(id)) throw new CommandError(`There is no account ${id}.`);
  return id;
}

/**
 * The value of `--account`, or the only account that exists.
 * @throws CommandError if there is no such account, or several to choose from
 */
export async function resolveGivenOrOnlyAccountId(
  dataSource: DataSource,
  id: string | undefined,
): Promise<string> {
  if (id !== undefined) {
    await assertAccountExists(dataSource, id);
    return id;
  }
  const [accounts, count] = await dataSource.manager.findAndCount(Account, {
    select: { id: true, name: true },
    order: { createdAt: 'ASC', id: 'ASC' },
    take: MAX_ACCOUNTS_LISTED,
  });
  const [only] = accounts;
  if (!only) throw new CommandError('There is no account yet: accounts create NAME.');
  if (count === 1) return only.id;
  const names = accounts.map((account) => `${account.id} (${account.name})`).join(', ');
  const others = count > accounts.length ? ` and ${count - accounts.length} more, see accounts list` : '';
  throw new CommandError(`Give --account, as there are ${count} accounts: ${names}${others}.`);
}

/** @throws CommandError */
export async function assertAccountExists(dataSource: DataSource, id: string): Promise<void> {
  if (!(await dataSource.manager.existsBy(Account, { id: parseAccountId(id) })))
    throw new CommandError(`There is no account ${id}.`);
}
