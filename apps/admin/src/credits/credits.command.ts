import {
  collectOwedCredits,
  readCreditBalance,
  findRechargeSettings,
  grantOrDeductCredits,
  readCreditsWithNewestEntries,
} from '@app/billing';
import { inTransaction } from '@app/database';
import { SubCommand } from 'nest-commander';
import { WithOptions, createParentCommandProviders, OperatorCommand } from '../operator-command.js';
import { recordOperatorAction } from '../operator-audit.js';
import { parsePrintableText, parseRowLimit } from '../option-values.js';
import { CommandError, formatTable, printResult } from '../output.js';
import {
  ACCOUNT_OPTION,
  type AccountCommandOptions,
  resolveGivenOrOnlyAccountId,
} from '../resolve-account.js';
import { ListDisputesCommand, ReconcilePaymentsCommand, StartTopUpCommand } from './card-payments.command.js';
import { DeclinePaymentCommand, ListPaymentsCommand, SettlePaymentCommand } from './payments.command.js';
import { describeRecharge, SetRechargeCommand, toRechargeSettingsOutput } from './recharge.command.js';

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
    const { dataSource, cardPayments } = await this.context.open();
    const account = await resolveGivenOrOnlyAccountId(dataSource, options.account);
    const statement = await readCreditsWithNewestEntries(dataSource, account, options.limit ?? 20);
    if (!statement) throw new CommandError(`There is no account ${account}.`);
    const currency = cardPayments?.prices.currency ?? null;
    const recharge = toRechargeSettingsOutput(await findRechargeSettings(dataSource, account, currency));
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
        `recharge  ${recharge ? describeRecharge(recharge, cardPayments) : 'off'}`,
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
