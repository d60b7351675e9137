import {
  readCreditBalance,
  findRechargeSettings,
  grantCredits,
  readCreditStatement,
  setRechargeSettings,
} from '@app/billing';
import { inTransaction } from '@app/database';
import { SubCommand } from 'nest-commander';
import { DefineOptions, createCommandGroup, OperatorCommand } from '../operator-command.js';
import { parseCredits, parseLimit } from '../option-values.js';
import { CommandError, formatTable, printResult } from '../output.js';
import { ACCOUNT_OPTION, type AccountOption, resolveAccountId } from '../resolve-account.js';
import { DeclinePaymentCommand, ListPaymentsCommand, SettlePaymentCommand } from './payments.command.js';

@SubCommand({
  name: 'show',
  description: 'show the balance, credits held for open jobs, and the newest ledger entries',
})
@DefineOptions(
  {
    flags: '--limit <n>',
    description: 'number of ledger entries (default 20)',
    parse: (text) => parseLimit(text),
  },
  ACCOUNT_OPTION,
)
export class ShowCreditsCommand extends OperatorCommand {
  async run(_: string[], options: AccountOption & { limit?: number }): Promise<void> {
    const { dataSource } = await this.context.open();
    const account = await resolveAccountId(dataSource, options.account);
    const statement = await readCreditStatement(dataSource, account, options.limit ?? 20);
    if (!statement) throw new CommandError(`There is no account ${account}.`);
    const recharge = await findRechargeSettings(dataSource, account);
    const { balance, held } = statement;
    const entries = statement.entries.map((entry) => ({
      entry_id: entry.id,
      kind: entry.kind,
      amount: entry.amount,
      job_id: entry.jobId,
      payment_id: entry.paymentId,
      note: entry.note,
      created_at: entry.createdAt.toISOString(),
    }));
    printResult(options, { account_id: account, balance, held, recharge, entries }, () =>
      [
        `balance   ${balance}`,
        `held      ${held}`,
        `recharge  ${recharge ? `${recharge.credits} when below ${recharge.below}` : 'off'}`,
        '',
        formatTable(entries, {
          WHEN: 'created_at',
          KIND: 'kind',
          AMOUNT: 'amount',
          FOR: ({ job_id, payment_id }) => job_id ?? payment_id,
          NOTE: 'note',
        }),
      ].join('\n'),
    );
  }
}

interface GrantOptions extends AccountOption {
  credits: number;
  note?: string;
}

@SubCommand({ name: 'grant', description: 'add credits; a negative number takes some back' })
@DefineOptions(
  {
    flags: '--credits <n>',
    required: true,
    description: 'whole credits; negative takes back',
    parse: parseCreditChange,
  },
  { flags: '--note <text>', description: 'text for the ledger entry' },
  ACCOUNT_OPTION,
)
export class GrantCreditsCommand extends OperatorCommand {
  async run(_: string[], options: GrantOptions): Promise<void> {
    const { credits, note = 'by the operator' } = options;
    const { dataSource } = await this.context.open();
    const account = await resolveAccountId(dataSource, options.account);
    const balance = await inTransaction(dataSource, (tx) => grantCredits(tx, account, credits, note));
    if (balance === null)
      throw new CommandError(
        `The balance is ${await readCreditBalance(dataSource.manager, account)}: ${-credits} cannot be taken from it.`,
      );
    printResult(options, { account_id: account, balance }, () => `The balance is ${balance}.`);
  }
}

interface RechargeOptions extends AccountOption {
  amount?: number;
  below?: number;
  off?: boolean;
}

@SubCommand({ name: 'recharge', description: 'request a payment when the balance is low' })
@DefineOptions(
  { flags: '--amount <n>', description: 'whole credits per payment request', parse: parseCredits },
  {
    flags: '--below <n>',
    description: 'request when the balance is below this (default 1)',
    parse: parseCredits,
  },
  { flags: '--off', description: 'request nothing any more; open requests stay open' },
  ACCOUNT_OPTION,
)
export class SetRechargeCommand extends OperatorCommand {
  async run(_: string[], options: RechargeOptions): Promise<void> {
    const { amount, below = 1, off = false } = options;
    if (off === (amount !== undefined)) throw new CommandError('Give either --amount or --off.');
    const { dataSource } = await this.context.open();
    const account = await resolveAccountId(dataSource, options.account);
    await setRechargeSettings(dataSource, account, amount === undefined ? null : { credits: amount, below });
    const recharge = await findRechargeSettings(dataSource, account);
    printResult(options, { account_id: account, recharge }, () =>
      recharge
        ? `Recharges ${recharge.credits} when the balance is below ${recharge.below}.`
        : 'Recharging is off.',
    );
  }
}

export const CREDIT_COMMANDS = createCommandGroup({ name: 'credits', description: 'balances and payments' }, [
  ShowCreditsCommand,
  GrantCreditsCommand,
  SetRechargeCommand,
  ListPaymentsCommand,
  SettlePaymentCommand,
  DeclinePaymentCommand,
]);

function parseCreditChange(text: string): number {
  if (!/^-?[1-9]\d{0,14}$/.test(text)) throw new CommandError('--credits takes a whole number other than 0.');
  return Number(text);
}
