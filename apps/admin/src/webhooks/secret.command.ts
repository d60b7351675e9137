import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { AccountCommand, type AccountOption, accountMustExist } from '../account-option.js';
import { CommandGroup } from '../json-command.js';
import { print } from '../output.js';
import { Workplace } from '../workplace.js';

@SubCommand({ name: 'reveal', description: 'what the webhooks of an organisation are signed with' })
export class RevealSecretCommand extends AccountCommand {
  constructor(@Inject(Workplace) private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: AccountOption): Promise<void> {
    const { dataSource, secrets } = await this.workplace.open();
    await accountMustExist(dataSource, options.account);
    const signing_secret = await secrets.reveal(options.account);
    print(options, { account_id: options.account, signing_secret }, () => signing_secret);
  }
}

@SubCommand({ name: 'rotate', description: 'a new one for every webhook that is sent from now on' })
export class RotateSecretCommand extends AccountCommand {
  constructor(@Inject(Workplace) private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: AccountOption): Promise<void> {
    const { dataSource, secrets } = await this.workplace.open();
    await accountMustExist(dataSource, options.account);
    const signing_secret = await secrets.rotate(options.account);
    print(options, { account_id: options.account, signing_secret }, () => signing_secret);
  }
}

@SubCommand({
  name: 'secret',
  description: 'signing secrets',
  subCommands: [RevealSecretCommand, RotateSecretCommand],
})
export class SecretCommand extends CommandGroup {}
