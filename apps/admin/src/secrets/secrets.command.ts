import { Inject } from '@nestjs/common';
import { Command, SubCommand } from 'nest-commander';
import { SealBroken } from '@app/webhooks';
import { CommandGroup, JsonCommand } from '../json-command.js';
import { CommandRefused, type JsonOption, print } from '../output.js';
import { Workplace } from '../workplace.js';

@SubCommand({ name: 'rotate', description: 'encrypt signing secrets anew under the first key' })
export class RotateKeysCommand extends JsonCommand {
  constructor(@Inject(Workplace) private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    const { secrets } = await this.workplace.open();
    const rotated = await secrets.resealAll().catch((error: unknown) => {
      if (!(error instanceof SealBroken)) throw error;
      throw new CommandRefused(`${error.message} Put that key back into SIGNING_SECRET_KEYS.`);
    });
    const left = await secrets.outdated();
    print(options, { rotated, left }, () => `${rotated} encrypted anew, ${left} left under other keys.`);
  }
}

@Command({
  name: 'secrets',
  description: 'what signing secrets are encrypted under',
  subCommands: [RotateKeysCommand],
})
export class SecretsCommand extends CommandGroup {}
