import { getBalance, grant } from '@app/billing';
import { inTransaction } from '@app/database';

import { Option, SubCommand } from 'nest-commander';
import { AccountCommand, type AccountOption, resolveAccount } from '../account-option.js';
import { CommandError, printResult } from '../output.js';
import { CommandContext } from '../command-context.js';

interface GrantOptions extends AccountOption {
  credits: number;
  note?: string;
}

@SubCommand({ name: 'grant', description: 'add credits; a negative number takes some back' })
export class GrantCreditsCommand extends AccountCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], options: GrantOptions): Promise<void> {
    const { credits, note = 'by the operator' } = options;
    const { dataSource } = await this.context.open();
    const account = await resolveAccount(dataSource, options.account);
    const balance = await inTransaction(dataSource, (tx) => grant(tx, account, credits, note));
    if (balance === null)
      throw new CommandError(
        `The balance is ${await getBalance(dataSource.manager, account)}: ${-credits} cannot be taken from it.`,
      );
    printResult(options, { account_id: account, balance }, () => `The balance is ${balance}.`);
  }

  @Option({ flags: '--credits <n>', required: true, description: 'whole credits; negative takes back' })
  parseCredits(text: string): number {
    if (!/^-?[1-9]\d{0,14}$/.test(text))
      throw new CommandError('--credits takes a whole number other than 0.');
    return Number(text);
  }

  @Option({ flags: '--note <text>', description: 'text for the ledger entry' })
  parseNote(note: string): string {
    return note;
  }
}
