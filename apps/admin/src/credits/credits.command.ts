import { Command } from 'nest-commander';
import { CommandGroup } from '../json-command.js';
import { GrantCreditsCommand } from './grant-credits.command.js';
import { DeclinePaymentCommand, ListPaymentsCommand, SettlePaymentCommand } from './payments.command.js';
import { RechargeCommand } from './recharge.command.js';
import { ShowCreditsCommand } from './show-credits.command.js';

const SUB_COMMANDS = [
  ShowCreditsCommand,
  GrantCreditsCommand,
  RechargeCommand,
  ListPaymentsCommand,
  SettlePaymentCommand,
  DeclinePaymentCommand,
];

@Command({ name: 'credits', description: 'balances and payments', subCommands: SUB_COMMANDS })
export class CreditsCommand extends CommandGroup {}

export const CREDIT_COMMANDS = [CreditsCommand, ...SUB_COMMANDS];
