import { Command } from 'nest-commander';
import { CommandGroup } from '../json-command.js';
import { CreateAccountCommand } from './create-account.command.js';
import { ListAccountsCommand } from './list-accounts.command.js';
import { ResumeAccountCommand, SuspendAccountCommand } from './suspend-account.command.js';

const SUB_COMMANDS = [ListAccountsCommand, CreateAccountCommand, SuspendAccountCommand, ResumeAccountCommand];

@Command({
  name: 'accounts',
  description: 'create, list, suspend and resume accounts',
  subCommands: SUB_COMMANDS,
})
export class AccountsCommand extends CommandGroup {}

export const ACCOUNT_COMMANDS = [AccountsCommand, ...SUB_COMMANDS];
