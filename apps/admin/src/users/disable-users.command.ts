import { inTransaction } from '@app/database';
import { SubCommand } from 'nest-commander';
import type { AdminServices } from '../lazy-admin-services.js';
import { OperatorCommand } from '../operator-command.js';
import { getOperatorActor } from '../operator-audit.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import { getUserByEmail } from './get-user-by-email.js';

@SubCommand({
  name: 'disable',
  arguments: '<email>',
  description: 'end the sessions of a user and refuse new ones',
})
export class DisableUserCommand extends OperatorCommand {
  async run([email = '']: string[], options: JsonOption): Promise<void> {
    await setDisabled(await this.context.open(), email, true, options);
  }
}

@SubCommand({ name: 'enable', arguments: '<email>', description: 'let a disabled user sign in again' })
export class EnableUserCommand extends OperatorCommand {
  async run([email = '']: string[], options: JsonOption): Promise<void> {
    await setDisabled(await this.context.open(), email, false, options);
  }
}

async function setDisabled(
  services: AdminServices,
  email: string,
  disabled: boolean,
  options: JsonOption,
): Promise<void> {
  const { id } = await getUserByEmail(services, email);
  const { users, memberships, dataSource } = services;
  const ownerless = await inTransaction(dataSource, async (tx) => {
    const isChanged = await users.setDisabled(tx, getOperatorActor(), id, disabled);
    if (!isChanged) return null;
    return disabled ? memberships.listAccountsWithoutEnabledOwner(tx, id) : [];
  });
  const state = disabled ? 'disabled' : 'enabled';
  if (!ownerless) throw new CommandError(`${email} is ${state} already.`);
  const result = { user_id: id, disabled, ...(disabled && { accounts_without_owner: ownerless }) };
  printResult(options, result, () => [`${email} is ${state}.`, ...ownerless.map(warnOfNoOwner)].join('\n'));
}

function warnOfNoOwner(account: string): string {
  return `Warning: every owner of the account ${account} is disabled. Make another member owner: users role EMAIL --role owner.`;
}
