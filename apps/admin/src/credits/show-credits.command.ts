import { readCreditStatement, getRechargeSettings } from '@app/billing';

import { Option, SubCommand } from 'nest-commander';
import { AccountCommand, type AccountOption, resolveAccount } from '../account-option.js';
import { parseLimit } from '../option-values.js';
import { CommandError, printResult, formatTable } from '../output.js';
import { CommandContext } from '../command-context.js';

const DEFAULT_LIMIT = 20;

@SubCommand({
  name: 'show',
  description: 'show the balance, credits held for open jobs, and the newest ledger entries',
})
export class ShowCreditsCommand extends AccountCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], options: AccountOption & { limit?: number }): Promise<void> {
    const { dataSource } = await this.context.open();
    const account = await resolveAccount(dataSource, options.account);
    const statement = await readCreditStatement(dataSource, account, options.limit ?? DEFAULT_LIMIT);
    if (!statement) throw new CommandError(`There is no account ${account}.`);
    const recharge = await getRechargeSettings(dataSource, account);
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
        formatTable(
          ['WHEN', 'KIND', 'AMOUNT', 'FOR', 'NOTE'],
          entries.map(({ created_at, kind, amount, job_id, payment_id, note }) => [
            created_at,
            kind,
            String(amount),
            job_id ?? payment_id ?? '-',
            note ?? '-',
          ]),
        ),
      ].join('\n'),
    );
  }

  @Option({ flags: '--limit <n>', description: `number of ledger entries (default ${DEFAULT_LIMIT})` })
  parseLimit(text: string): number {
    return parseLimit(text);
  }
}
