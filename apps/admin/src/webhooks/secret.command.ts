import { Option, SubCommand } from 'nest-commander';
import { AccountCommand, type AccountOption, resolveAccount } from '../account-option.js';
import { CommandGroup } from '../json-command.js';
import { parseDurationSeconds } from '../option-values.js';
import { printResult } from '../output.js';
import { CommandContext } from '../command-context.js';

/** Seconds; whoever needs longer has forgotten it. */
const MAX_OVERLAP_SECONDS = 30 * 86_400;

@SubCommand({ name: 'reveal', description: 'print the secret that signs the webhooks of an account' })
export class RevealSecretCommand extends AccountCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], options: AccountOption): Promise<void> {
    const { dataSource, secrets } = await this.context.open();
    const account = await resolveAccount(dataSource, options.account);
    const signing_secret = await secrets.reveal(account);
    printResult(options, { account_id: account, signing_secret }, () => signing_secret);
  }
}

@SubCommand({ name: 'rotate', description: 'create a new secret; every later webhook is signed with it' })
export class RotateSecretCommand extends AccountCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], options: AccountOption & { overlap?: number }): Promise<void> {
    const { dataSource, secrets } = await this.context.open();
    const account = await resolveAccount(dataSource, options.account);
    const { secret: signing_secret, previousUntil } = await secrets.rotate(account, options.overlap);
    const previous_until = previousUntil?.toISOString() ?? null;
    printResult(options, { account_id: account, signing_secret, previous_until }, () => signing_secret);
  }

  @Option({
    flags: '--overlap <time>',
    description: 'also sign with the old secret for this long, such as 24h (default: not at all)',
  })
  parseOverlap(text: string): number {
    return parseDurationSeconds('--overlap', text, MAX_OVERLAP_SECONDS);
  }
}

@SubCommand({
  name: 'secret',
  description: 'webhook signing secrets',
  subCommands: [RevealSecretCommand, RotateSecretCommand],
})
export class WebhookSecretCommand extends CommandGroup {}
