import {
  readWebhookBacklog,
  findWebhookHoldStart,
  holdAllWebhookDeliveries,
  releaseAllWebhookDeliveries,
} from '@app/webhooks';
import { SubCommand } from 'nest-commander';
import {
  CommandGroup,
  WithOptions,
  createCommandGroupProviders,
  OperatorCommand,
} from '../operator-command.js';
import { recordOperatorAction } from '../operator-audit.js';
import { parseDurationSeconds } from '../option-values.js';
import { type JsonOption, printResult } from '../output.js';
import { ACCOUNT_OPTION, type AccountOption, resolveGivenOrOnlyAccountId } from '../resolve-account.js';
import { ENDPOINT_COMMANDS, WebhookEndpointsCommandGroup } from './endpoints.command.js';
import { ListAttemptsCommand, ListDeliveriesCommand, ReplayDeliveriesCommand } from './deliveries.command.js';

const MAX_OVERLAP_SECONDS = 30 * 86_400;

@SubCommand({ name: 'hold', description: 'send no webhooks until `webhooks release`; they stay pending' })
export class HoldWebhooksCommand extends OperatorCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    await holdAllWebhookDeliveries(dataSource);
    await recordOperatorAction(dataSource, { accountId: null, action: 'webhooks.held' });
    const since = (await findWebhookHoldStart(dataSource))?.toISOString() ?? null;
    printResult(
      options,
      { held_since: since },
      () => `Webhooks are held since ${since}: \`webhooks release\` sends them.`,
    );
  }
}

@SubCommand({
  name: 'release',
  description: 'send the webhooks that a restore or `webhooks hold` is holding',
})
export class ReleaseWebhooksCommand extends OperatorCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    const released = await releaseAllWebhookDeliveries(dataSource);
    if (released) await recordOperatorAction(dataSource, { accountId: null, action: 'webhooks.released' });
    const { pending } = await readWebhookBacklog(dataSource);
    printResult(options, { released, pending }, () =>
      released ? `${pending} webhooks are sent as they become due.` : 'No webhooks were held.',
    );
  }
}

@SubCommand({ name: 'reveal', description: 'print the secret that signs the webhooks of an account' })
@WithOptions(ACCOUNT_OPTION)
export class RevealAccountSigningSecretCommand extends OperatorCommand {
  async run(_: string[], options: AccountOption): Promise<void> {
    const { dataSource, signingSecrets } = await this.context.open();
    const account = await resolveGivenOrOnlyAccountId(dataSource, options.account);
    const signing_secret = await signingSecrets.readOrCreateSecret(account);
    await recordOperatorAction(dataSource, { accountId: account, action: 'signing_secret.revealed' });
    printResult(options, { account_id: account, signing_secret }, () => signing_secret);
  }
}

@SubCommand({ name: 'rotate', description: 'create a new secret; every later webhook is signed with it' })
@WithOptions(
  {
    flags: '--overlap <time>',
    description: 'also sign with the old secret for this long, such as 24h (default: not at all)',
    parse: (text, option) => parseDurationSeconds(text, option, MAX_OVERLAP_SECONDS),
  },
  ACCOUNT_OPTION,
)
export class RotateAccountSigningSecretCommand extends OperatorCommand {
  async run(_: string[], options: AccountOption & { overlap?: number }): Promise<void> {
    const { dataSource, signingSecrets } = await this.context.open();
    const account = await resolveGivenOrOnlyAccountId(dataSource, options.account);
    const { secret: signing_secret, previousUntil } = await signingSecrets.rotate(account, options.overlap);
    const previous_until = previousUntil?.toISOString() ?? null;
    const entry = { accountId: account, action: 'signing_secret.rotated', details: { previous_until } };
    await recordOperatorAction(dataSource, entry);
    printResult(options, { account_id: account, signing_secret, previous_until }, () => signing_secret);
  }
}

@SubCommand({
  name: 'secret',
  description: 'webhook signing secrets',
  subCommands: [RevealAccountSigningSecretCommand, RotateAccountSigningSecretCommand],
})
export class SigningSecretCommandGroup extends CommandGroup {}

export const WEBHOOK_COMMANDS = [
  ...createCommandGroupProviders(
    { name: 'webhooks', description: 'webhook deliveries, endpoints and signing secrets' },
    [
      ListDeliveriesCommand,
      ListAttemptsCommand,
      ReplayDeliveriesCommand,
      HoldWebhooksCommand,
      ReleaseWebhooksCommand,
      SigningSecretCommandGroup,
      WebhookEndpointsCommandGroup,
    ],
  ),
  RevealAccountSigningSecretCommand,
  RotateAccountSigningSecretCommand,
  ...ENDPOINT_COMMANDS,
];
