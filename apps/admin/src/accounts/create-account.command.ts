import { createAccount } from '@app/billing';

import { Option, SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { CommandError } from '../output.js';
import { CommandContext } from '../command-context.js';

@SubCommand({
  name: 'create',
  arguments: '<name>',
  description: 'create an account with one API key; prints {"account_id", "api_key"}',
})
export class CreateAccountCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  /** The key is in this answer and nowhere else. */
  async run([name = '']: string[], { credits = 0 }: { credits?: number }): Promise<void> {
    const { dataSource, keys } = await this.context.open();
    const created = await dataSource.transaction(async (tx) => {
      const account_id = await createAccount(tx, name, credits);
      const { apiKey: api_key } = await keys.create(account_id, 'first key', tx);
      return { account_id, api_key };
    });
    process.stdout.write(`${JSON.stringify(created)}\n`);
  }

  @Option({ flags: '--credits <n>', description: 'opening balance in whole credits (default 0)' })
  parseCredits(text: string): number {
    if (!/^\d{1,15}$/.test(text)) throw new CommandError('--credits takes a whole number, not negative.');
    return Number(text);
  }
}
