import { inTransaction } from '@app/database';
import {
  readWebhookBacklog,
  findWebhookHoldStart,
  holdAllWebhookDeliveries,
  releaseAllWebhookDeliveries,
} from '@app/webhooks';
import { SubCommand } from 'nest-commander';
import {
  ParentCommand,
  WithOptions,
  createParentCommandProviders,
  OperatorCommand,
} from '../operator-command.js';
import { recordOperatorAction } from '../operator-audit.js';
import { parseDurationSeconds } from '../option-values.js';
import { type JsonOption, printResult } from '../output.js';
import {
  ACCOUNT_OPTION,
  type AccountCommandOptions,
  resolveGivenOrOnlyAccountId,
} from '../resolve-account.js';
import { ENDPOINT_COMMANDS, WebhookEndpointsParentCommand } from './endpoints.command.js';
import { ListAttemptsCommand, ListDeliveriesCommand, ReplayDeliveriesCommand } from './deliveries.command.js';

const MAX_OVERLAP_SECONDS = 30 * 86_400;

@SubCommand({ name: 'hold', description: 'send no webhooks until `webhooks release`; they stay pending' })
export class HoldWebhooksCommand extends OperatorCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    await inTransaction(dataSource, async (tx) => {
      if (await holdAllWebhookDeliveries(tx))
        await recordOperatorAction(tx, { accountId: null, action: 'webhooks.held' });
    });
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
    const released = await inTransaction(dataSource, async (tx) => {
      if (!(await releaseAllWebhookDeliveries(tx))) return false;
      await recordOperatorAction(tx, { accountId: null, action: 'webhooks.released' });
      return true;
    });
    const { pending } = await readWebhookBacklog(dataSource);
    printResult(options, { released, pending }, () =>
      released ? `${pending} webhooks are sent as they become due.` : 'No webhooks were held.',
    );
  }
}

@SubCommand({ name: 'reveal', description: 'print the secret that signs the webhooks of an account' })
@WithOptions(ACCOUNT_OPTION)
export class RevealAccountSigningSecretCommand extends OperatorCommand {
  async run(_: string[], options: AccountCommandOptions): Promise<void> {
    const { dataSource, signingSecrets } = await this.context.open();
    const account = await resolveGivenOrOnlyAccountId(dataSource, options.account);
    const signing_secret = await signingSecrets.readOrCreateSecret(account);
    // Nothing is revealed unless the event is committed.
    await recordOperatorAction(dataSource.manager, { accountId: account, action: 'signing_secret.revealed' });
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
  async run(_: string[], options: AccountCommandOptions & { overlap?: number }): Promise<void> {
    const { dataSource, signingSecrets } = await this.context.open();
    const account = await resolveGivenOrOnlyAccountId(dataSource, options.account);
    const { secret: signing_secret, previousUntil } = await signingSecrets.rotate(
      account,
      options.overlap,
      (tx, until) => {
        const details = { previous_until: until };
        return recordOperatorAction(tx, { accountId: account, action: 'signing_secret.rotated', details });
      },
    );
    if (options.overlap && previousUntil === null)
      process.stderr.write('There is no overlap: no previous secret could be decrypted.\n');
    const previous_until = previousUntil?.toISOString() ?? null;
    printResult(options, { account_id: account, signing_secret, previous_until }, () => signing_secret);
  }
}

@SubCommand({
  name: 'secret',
  description: 'webhook signing secrets',
  subCommands: [RevealAccountSigningSecretCommand, RotateAccountSigningSecretCommand],
})
export class SigningSecretParentCommand extends ParentCommand {}

export const WEBHOOK_COMMANDS = [
  ...createParentCommandProviders(
    { name: 'webhooks', description: 'webhook deliveries, endpoints and signing secrets' },
    [
      ListDeliveriesCommand,
      ListAttemptsCommand,
      ReplayDeliveriesCommand,
      HoldWebhooksCommand,
      ReleaseWebhooksCommand,
      SigningSecretParentCommand,
      WebhookEndpointsParentCommand,
    ],
  ),
  RevealAccountSigningSecretCommand,
  RotateAccountSigningSecretCommand,
  ...ENDPOINT_COMMANDS,
];
