import { WebhookDelivery } from '@app/database';
import { WebhookDeliveries } from '@app/webhooks';

import { Option, SubCommand } from 'nest-commander';
import { validate as isUuid } from 'uuid';
import { resolveAccount, parseAccountId } from '../account-option.js';
import { JsonCommand } from '../json-command.js';
import { parseTimestamp } from '../option-values.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import { CommandContext } from '../command-context.js';

interface ReplayOptions extends JsonOption {
  account?: string;
  failed?: boolean;
  since?: Date;
}

@SubCommand({
  name: 'replay',
  arguments: '[delivery_id]',
  description: 'send one delivery again, or all failed deliveries of an account',
})
export class ReplayCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run([id]: string[], options: ReplayOptions): Promise<void> {
    const { dataSource } = await this.context.open();
    const deliveries = new WebhookDeliveries(dataSource.getRepository(WebhookDelivery));
    const { failed, since } = options;
    if (id !== undefined && options.account === undefined && failed === undefined && since === undefined)
      return this.one(deliveries, id, options);
    if (id !== undefined || failed !== true)
      throw new CommandError('Give either a delivery, or --failed and an --account.');
    const account = await resolveAccount(dataSource, options.account);
    const replayed = await deliveries.replayFailed({ accountId: account }, since ?? null);
    printResult(options, { account_id: account, replayed }, () => `${replayed} deliveries are due again.`);
  }

  private async one(deliveries: WebhookDeliveries, id: string, options: JsonOption): Promise<void> {
    const state = isUuid(id) ? await deliveries.findState(id) : null;
    if (state === null) throw new CommandError(`There is no delivery ${id}.`);
    if (!(await deliveries.replay('every account', id)))
      throw new CommandError(`Delivery ${id} is still pending.`);
    printResult(options, { delivery_id: id, replayed: true }, () => `Delivery ${id} is due again.`);
  }

  @Option({
    flags: '--account <id>',
    description: 'the account, with --failed; optional if there is only one',
  })
  parseAccount(id: string): string {
    return parseAccountId(id);
  }

  @Option({ flags: '--failed', description: 'every delivery that failed permanently' })
  parseFailed(): boolean {
    return true;
  }

  @Option({
    flags: '--since <moment>',
    description: 'with --failed: only those that failed since then (ISO 8601, UTC)',
  })
  parseSince(text: string): Date {
    return parseTimestamp('--since', text);
  }
}
