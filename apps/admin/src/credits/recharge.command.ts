import { getRechargeSettings, setRechargeSettings } from '@app/billing';

import { Option, SubCommand } from 'nest-commander';
import { AccountCommand, type AccountOption, resolveAccount } from '../account-option.js';
import { parseCredits } from '../option-values.js';
import { CommandError, printResult } from '../output.js';
import { CommandContext } from '../command-context.js';

interface RechargeOptions extends AccountOption {
  amount?: number;
  below?: number;
  off?: boolean;
}

@SubCommand({ name: 'recharge', description: 'request a payment when the balance is low' })
export class RechargeCommand extends AccountCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], options: RechargeOptions): Promise<void> {
    const { amount, below = 1, off = false } = options;
    if (off === (amount !== undefined)) throw new CommandError('Give either --amount or --off.');
    const { dataSource } = await this.context.open();
    const account = await resolveAccount(dataSource, options.account);
    await setRechargeSettings(dataSource, account, amount === undefined ? null : { credits: amount, below });
    const recharge = await getRechargeSettings(dataSource, account);
    printResult(options, { account_id: account, recharge }, () =>
      recharge
        ? `Recharges ${recharge.credits} when the balance is below ${recharge.below}.`
        : 'Recharging is off.',
    );
  }

  @Option({ flags: '--amount <n>', description: 'whole credits per payment request' })
  parseAmount(text: string): number {
    return parseCredits('--amount', text);
  }

  @Option({ flags: '--below <n>', description: 'request when the balance is below this (default 1)' })
  parseBelow(text: string): number {
    return parseCredits('--below', text);
  }

  @Option({ flags: '--off', description: 'request nothing any more; open requests stay open' })
  parseOff(): boolean {
    return true;
  }
}
