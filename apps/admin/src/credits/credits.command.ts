import {
  type CardPayments,
  collectOwedCredits,
  parseAmount,
  readCreditBalance,
  findRechargeSettings,
  grantOrDeductCredits,
  readCreditsWithNewestEntries,
  type RechargePause,
  type RechargeSettings,
  setRechargeSettingsAndEndPause,
} from '@app/billing';
import { inTransaction } from '@app/database';
import { SubCommand } from 'nest-commander';
import { WithOptions, createParentCommandProviders, OperatorCommand } from '../operator-command.js';
import { recordOperatorAction } from '../operator-audit.js';
import { parseCredits, parsePrintableText, parseRowLimit } from '../option-values.js';
import { CommandError, formatTable, printResult } from '../output.js';
import {
  ACCOUNT_OPTION,
  type AccountCommandOptions,
  resolveGivenOrOnlyAccountId,
} from '../resolve-account.js';
import {
  ListDisputesCommand,
  ReconcilePaymentsCommand,
  requireConfiguredCardPayments,
  StartTopUpCommand,
} from './card-payments.command.js';
import { DeclinePaymentCommand, ListPaymentsCommand, SettlePaymentCommand } from './payments.command.js';

@SubCommand({
  name: 'show',
  description: 'show the balance, credits held for open jobs, and the newest ledger entries',
})
@WithOptions(
  {
    flags: '--limit <n>',
    description: 'number of ledger entries (default 20)',
    parse: (text) => parseRowLimit(text),
  },
  ACCOUNT_OPTION,
)
export class ShowCreditsCommand extends OperatorCommand {
  async run(_: string[], options: AccountCommandOptions & { limit?: number }): Promise<void> {
    const { dataSource } = await this.context.open();
    const account = await resolveGivenOrOnlyAccountId(dataSource, options.account);
    const statement = await readCreditsWithNewestEntries(dataSource, account, options.limit ?? 20);
    if (!statement) throw new CommandError(`There is no account ${account}.`);
    const recharge = toRechargeRow(await findRechargeSettings(dataSource, account));
    const { balance, held, owed } = statement;
    const entries = statement.entries.map((entry) => ({
      entry_id: entry.id,
      kind: entry.kind,
      amount: entry.amount,
      job_id: entry.jobId,
      payment_id: entry.paymentId,
      note: entry.note,
      created_at: entry.createdAt.toISOString(),
    }));
    printResult(options, { account_id: account, balance, held, owed, recharge, entries }, () =>
      [
        `balance   ${balance}`,
        `held      ${held}`,
        ...(owed > 0 ? [`owed      ${owed}`] : []),
        `recharge  ${recharge ? describeRecharge(recharge) : 'off'}`,
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

interface GrantOptions extends AccountCommandOptions {
  credits: number;
  note?: string;
}

@SubCommand({ name: 'grant', description: 'add credits; a negative number takes some back' })
@WithOptions(
  {
    flags: '--credits <n>',
    required: true,
    description: 'whole credits; negative takes back',
    parse: parseCreditChange,
  },
  { flags: '--note <text>', description: 'text for the ledger entry', parse: parsePrintableText },
  ACCOUNT_OPTION,
)
export class GrantCreditsCommand extends OperatorCommand {
  async run(_: string[], options: GrantOptions): Promise<void> {
    const { credits, note = 'by the operator' } = options;
    const { dataSource } = await this.context.open();
    const account = await resolveGivenOrOnlyAccountId(dataSource, options.account);
    const balance = await inTransaction(dataSource, async (tx) => {
      const granted = await grantOrDeductCredits(tx, account, credits, note);
      if (granted === null) return null;
      const details = { credits, note };
      await recordOperatorAction(tx, { accountId: account, action: 'payment.credits_granted', details });
      return collectOwedCredits(tx, account);
    });
    if (balance === null)
      throw new CommandError(
        `The balance is ${await readCreditBalance(dataSource.manager, account)}: ${-credits} cannot be taken from it.`,
      );
    printResult(options, { account_id: account, balance }, () => `The balance is ${balance}.`);
  }
}

interface RechargeOptions extends AccountCommandOptions {
  amount?: number;
  below?: number;
  monthlyLimit?: string;
  off?: boolean;
}

@SubCommand({ name: 'recharge', description: 'request a payment when the balance is low' })
@WithOptions(
  { flags: '--amount <n>', description: 'whole credits per payment request', parse: parseCredits },
  {
    flags: '--below <n>',
    description: 'request when the balance is below this (default 1)',
    parse: parseCredits,
  },
  {
    flags: '--monthly-limit <amount>',
    description: 'with payments by card: the most to charge in a calendar month, such as 50',
  },
  { flags: '--off', description: 'request nothing any more; open requests stay open' },
  ACCOUNT_OPTION,
)
export class SetRechargeCommand extends OperatorCommand {
  async run(_: string[], options: RechargeOptions): Promise<void> {
    const { amount, below = 1, off = false } = options;
    if (off === (amount !== undefined)) throw new CommandError('Give either --amount or --off.');
    const { dataSource, cardPayments } = await this.context.open();
    const monthlyLimit =
      options.monthlyLimit === undefined ? null : parseMonthlyLimit(options.monthlyLimit, cardPayments);
    const account = await resolveGivenOrOnlyAccountId(dataSource, options.account);
    const settings = amount === undefined ? null : { credits: amount, below, monthlyLimit };
    await inTransaction(dataSource, async (tx) => {
      await setRechargeSettingsAndEndPause(tx, account, settings);
      await recordOperatorAction(tx, {
        accountId: account,
        ...(settings === null
          ? { action: 'payment.auto_recharge_ended' }
          : {
              action: 'payment.auto_recharge_changed',
              details: { below, credits: settings.credits, monthly_limit: monthlyLimit },
            }),
      });
    });
    const recharge = toRechargeRow(await findRechargeSettings(dataSource, account));
    printResult(options, { account_id: account, recharge }, () =>
      recharge
        ? `Recharges ${recharge.credits} when the balance is below ${recharge.below}.`
        : 'Recharging is off.',
    );
  }
}

export const CREDIT_COMMANDS = createParentCommandProviders(
  { name: 'credits', description: 'balances and payments' },
  [
    ShowCreditsCommand,
    GrantCreditsCommand,
    SetRechargeCommand,
    ListPaymentsCommand,
    SettlePaymentCommand,
    DeclinePaymentCommand,
    StartTopUpCommand,
    ListDisputesCommand,
    ReconcilePaymentsCommand,
  ],
);

function parseCreditChange(text: string): number {
  if (!/^-?[1-9]\d{0,14}$/.test(text)) throw new CommandError('--credits takes a whole number other than 0.');
  return Number(text);
}

/** @throws CommandError */
function parseMonthlyLimit(text: string, cardPayments: CardPayments | null): number {
  const { currency } = requireConfiguredCardPayments(cardPayments).prices;
  const limit = parseAmount(text, currency);
  if (limit === null || limit === 0)
    throw new CommandError(`--monthly-limit takes an amount in ${currency.toUpperCase()}, such as 50.`);
  return limit;
}

interface RechargeRow {
  below: number;
  credits: number;
  /** In the smallest unit of the currency. */
  monthly_limit?: number;
  paused?: string;
}

function toRechargeRow(
  settings: (RechargeSettings & { pause: RechargePause | null }) | null,
): RechargeRow | null {
  if (!settings) return null;
  const { below, credits, monthlyLimit, pause } = settings;
  return {
    below,
    credits,
    ...(monthlyLimit !== null && { monthly_limit: monthlyLimit }),
    ...(pause && { paused: pause.reason }),
  };
}

function describeRecharge({ below, credits, paused }: RechargeRow): string {
  return `${credits} when below ${below}${paused === undefined ? '' : `, paused: ${paused}`}`;
}
