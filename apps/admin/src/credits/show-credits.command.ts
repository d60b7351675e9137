import { readCreditStatement, getRechargeSettings } from '@app/billing';

import { Option, SubCommand } from 'nest-commander';
import { AccountCommand, type AccountOption, chosenAccount } from '../account-option.js';
import { parseLimit } from '../option-values.js';
import { CommandRefused, print, table } from '../output.js';
import { Workplace } from '../workplace.js';

const SHOWN = 20;

@SubCommand({
  name: 'show',
  description: 'show the balance, credits held for open jobs, and the newest ledger entries',
})
export class ShowCreditsCommand extends AccountCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: AccountOption & { limit?: number }): Promise<void> {
    const { dataSource } = await this.workplace.open();
    const account = await chosenAccount(dataSource, options.account);
    const statement = await readCreditStatement(dataSource, account, options.limit ?? SHOWN);
    if (!statement) throw new CommandRefused(`There is no account ${account}.`);
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
    print(options, { account_id: account, balance, held, recharge, entries }, () =>
      [
        `balance   ${balance}`,
        `held      ${held}`,
        `recharge  ${recharge ? `${recharge.credits} when below ${recharge.below}` : 'off'}`,
        '',
        table(
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

  @Option({ flags: '--limit <n>', description: `number of ledger entries (default ${SHOWN})` })
  parseLimit(text: string): number {
    return parseLimit(text);
  }
}
