import { Inject } from '@nestjs/common';
import { Command, SubCommand } from 'nest-commander';
import { SealBroken } from '@app/database';
import { CommandGroup, JsonCommand } from '../json-command.js';
import { CommandRefused, type JsonOption, print } from '../output.js';
import { Workplace } from '../workplace.js';

@SubCommand({ name: 'rotate', description: 'encrypt anew under the first key' })
export class RotateKeysCommand extends JsonCommand {
  constructor(@Inject(Workplace) private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    const { secrets, answers, bodies } = await this.workplace.open();
    let [rotated, left] = [0, 0];
    for (const sealed of [secrets, answers, bodies]) {
      rotated += await sealed.resealAll().catch(explain);
      left += await sealed.outdated();
    }
    print(options, { rotated, left }, () => `${rotated} encrypted anew, ${left} left under other keys.`);
  }
}

function explain(error: unknown): never {
  if (!(error instanceof SealBroken)) throw error;
  throw new CommandRefused(`${error.message} Put that key back into SIGNING_SECRET_KEYS.`);
}

@Command({
  name: 'secrets',
  description: 'what signing secrets, remembered answers and waiting webhooks are encrypted under',
  subCommands: [RotateKeysCommand],
})
export class SecretsCommand extends CommandGroup {}
