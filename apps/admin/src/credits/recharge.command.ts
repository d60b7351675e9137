import { rechargeOf, setRecharge } from '@app/billing';
import { Inject } from '@nestjs/common';
import { Option, SubCommand } from 'nest-commander';
import { AccountCommand, type AccountOption, accountMustExist } from '../account-option.js';
import { parseCredits } from '../option-values.js';
import { CommandRefused, print } from '../output.js';
import { Workplace } from '../workplace.js';

interface RechargeOptions extends AccountOption {
  amount?: number;
  below?: number;
  off?: boolean;
}

@SubCommand({ name: 'recharge', description: 'have more credits asked for when they run out' })
export class RechargeCommand extends AccountCommand {
  constructor(@Inject(Workplace) private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: RechargeOptions): Promise<void> {
    const { account, amount, below = 1, off = false } = options;
    if (off === (amount !== undefined)) throw new CommandRefused('Give either --amount or --off.');
    const { dataSource } = await this.workplace.open();
    await accountMustExist(dataSource, account);
    await setRecharge(dataSource, account, amount === undefined ? null : { credits: amount, below });
    const recharge = await rechargeOf(dataSource, account);
    print(options, { account_id: account, recharge }, () =>
      recharge
        ? `Recharges ${recharge.credits} when the balance is below ${recharge.below}.`
        : 'Recharging is off.',
    );
  }

  @Option({ flags: '--amount <n>', description: 'whole credits that are asked for at a time' })
  parseAmount(text: string): number {
    return parseCredits('--amount', text);
  }

  @Option({ flags: '--below <n>', description: 'ask when the balance is below this (default 1)' })
  parseBelow(text: string): number {
    return parseCredits('--below', text);
  }

  @Option({ flags: '--off', description: 'ask for nothing any more; what was asked for stays open' })
  parseOff(): boolean {
    return true;
  }
}
