import { getBalance, grant } from '@app/billing';
import { inTransaction } from '@app/database';

import { Option, SubCommand } from 'nest-commander';
import { AccountCommand, type AccountOption, chosenAccount } from '../account-option.js';
import { CommandRefused, print } from '../output.js';
import { Workplace } from '../workplace.js';

interface GrantOptions extends AccountOption {
  credits: number;
  note?: string;
}

@SubCommand({ name: 'grant', description: 'add credits; a negative number takes some back' })
export class GrantCreditsCommand extends AccountCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: GrantOptions): Promise<void> {
    const { credits, note = 'by the operator' } = options;
    const { dataSource } = await this.workplace.open();
    const account = await chosenAccount(dataSource, options.account);
    const balance = await inTransaction(dataSource, (tx) => grant(tx, account, credits, note));
    if (balance === null)
      throw new CommandRefused(
        `The balance is ${await getBalance(dataSource.manager, account)}: ${-credits} cannot be taken from it.`,
      );
    print(options, { account_id: account, balance }, () => `The balance is ${balance}.`);
  }

  @Option({ flags: '--credits <n>', required: true, description: 'whole credits; negative takes back' })
  parseCredits(text: string): number {
    if (!/^-?[1-9]\d{0,14}$/.test(text))
      throw new CommandRefused('--credits takes a whole number other than 0.');
    return Number(text);
  }

  @Option({ flags: '--note <text>', description: 'text for the ledger entry' })
  parseNote(note: string): string {
    return note;
  }
}
