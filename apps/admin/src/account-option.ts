import { Account } from '@app/database';
import { Option } from 'nest-commander';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { JsonCommand } from './json-command.js';
import { CommandError, type JsonOption } from './output.js';

/** So many accounts are named to somebody who has to choose one. */
const MAX_ACCOUNTS_LISTED = 5;

export interface AccountOption extends JsonOption {
  account?: string;
}

/** A command about one account. */
export abstract class AccountCommand extends JsonCommand {
  @Option({ flags: '--account <id>', description: 'the account; optional if there is only one' })
  parseAccount(id: string): string {
    return parseAccountId(id);
  }
}

/** A command that lists what there is, of one account or of all. */
export abstract class AccountFilterCommand extends JsonCommand {
  @Option({ flags: '--account <id>', description: 'only this account' })
  parseAccount(id: string): string {
    return parseAccountId(id);
  }
}

/** The value of `--account`. @throws CommandError when no account can have this id */
export function parseAccountId(id: string): string {
  if (!isUuid(id)) throw new CommandError(`There is no account ${id}.`);
  return id;
}

/**
 * The account that a command is about: the one that was given, or the only one there is.
 * @throws CommandError when the given one is unknown; when none was given and there is none, or more than one
 */
export async function resolveAccount(dataSource: DataSource, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    await assertAccountExists(dataSource, given);
    return given;
  }
  const [accounts, count] = await dataSource.manager.findAndCount(Account, {
    select: { id: true, name: true },
    order: { createdAt: 'ASC', id: 'ASC' },
    take: MAX_ACCOUNTS_LISTED,
  });
  const [only] = accounts;
  if (!only) throw new CommandError('There is no account yet: accounts create NAME.');
  if (count > 1) throw new CommandError(ambiguousAccountMessage(accounts, count));
  return only.id;
}

/** @throws CommandError when there is no such account. */
export async function assertAccountExists(dataSource: DataSource, id: string): Promise<void> {
  if (!(await dataSource.manager.existsBy(Account, { id: parseAccountId(id) })))
    throw new CommandError(`There is no account ${id}.`);
}

function ambiguousAccountMessage(accounts: readonly Pick<Account, 'id' | 'name'>[], count: number): string {
  const names = accounts.map(({ id, name }) => `${id} (${name})`).join(', ');
  const others = count > accounts.length ? ` and ${count - accounts.length} more, see accounts list` : '';
  return `Give --account, as there are ${count} accounts: ${names}${others}.`;
}
