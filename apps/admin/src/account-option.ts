import { Account } from '@app/database';
import { Option } from 'nest-commander';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { JsonCommand } from './json-command.js';
import { CommandRefused, type JsonOption } from './output.js';

export interface AccountOption extends JsonOption {
  account: string;
}

/** A command about one organisation. */
export abstract class AccountCommand extends JsonCommand {
  @Option({ flags: '--account <id>', required: true, description: 'the organisation' })
  parseAccount(id: string): string {
    return parseAccountId(id);
  }
}

export interface AccountFilter extends JsonOption {
  account?: string;
}

/** A command that lists what there is, of one organisation or of all. */
export abstract class AccountFilterCommand extends JsonCommand {
  @Option({ flags: '--account <id>', description: 'only of this organisation' })
  parseAccount(id: string): string {
    return parseAccountId(id);
  }
}

/** The value of `--account`. @throws CommandRefused when no organisation can have this id */
export function parseAccountId(id: string): string {
  if (!isUuid(id)) throw new CommandRefused(`There is no account ${id}.`);
  return id;
}

/** @throws CommandRefused when there is no such organisation. */
export async function accountMustExist(dataSource: DataSource, id: string): Promise<void> {
  if (!(await dataSource.manager.existsBy(Account, { id: parseAccountId(id) })))
    throw new CommandRefused(`There is no account ${id}.`);
}
