import { balanceOf, grant } from '@app/billing';
import { inTransaction } from '@app/database';
import { Inject } from '@nestjs/common';
import { Option, SubCommand } from 'nest-commander';
import { AccountCommand, type AccountOption, accountMustExist } from '../account-option.js';
import { CommandRefused, print } from '../output.js';
import { Workplace } from '../workplace.js';

interface GrantOptions extends AccountOption {
  credits: number;
  note?: string;
}

@SubCommand({ name: 'grant', description: 'add credits, or take some back with a negative number' })
export class GrantCreditsCommand extends AccountCommand {
  constructor(@Inject(Workplace) private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: GrantOptions): Promise<void> {
    const { account, credits, note = 'by the operator' } = options;
    const { dataSource } = await this.workplace.open();
    await accountMustExist(dataSource, account);
    const balance = await inTransaction(dataSource, (tx) => grant(tx, account, credits, note));
    if (balance === null)
      throw new CommandRefused(
        `The balance is ${await balanceOf(dataSource.manager, account)}: ${-credits} cannot be taken from it.`,
      );
    print(options, { account_id: account, balance }, () => `The balance is ${balance}.`);
  }

  @Option({ flags: '--credits <n>', required: true, description: 'whole credits, negative to take back' })
  parseCredits(text: string): number {
    if (!/^-?[1-9]\d{0,14}$/.test(text))
      throw new CommandRefused('--credits takes a whole number other than 0.');
    return Number(text);
  }

  @Option({ flags: '--note <text>', description: 'what it is for; stays in the ledger' })
  parseNote(note: string): string {
    return note;
  }
}
