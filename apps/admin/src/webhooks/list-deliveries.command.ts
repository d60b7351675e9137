import { type DeliveryState, WebhookDelivery } from '@app/database';
import { WebhookDeliveries } from '@app/webhooks';

import { Option, SubCommand } from 'nest-commander';
import { validate as isUuid } from 'uuid';
import { type AccountOption, AccountFilterCommand, assertAccountExists } from '../account-option.js';
import { JsonCommand } from '../json-command.js';
import { parseChoice, parseLimit } from '../option-values.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import { CommandContext } from '../command-context.js';
import { toAttemptRow, formatAttempts, formatDeliveries, toDeliveryRow } from './delivery-rows.js';

const STATES: readonly DeliveryState[] = ['pending', 'delivered', 'failed'];
const MAX_PAGE_SIZE = 100;

interface ListOptions extends AccountOption {
  state?: DeliveryState;
  limit?: number;
  before?: string;
}

@SubCommand({ name: 'deliveries', description: 'list deliveries, newest first' })
export class ListDeliveriesCommand extends AccountFilterCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], { json, account, ...page }: ListOptions): Promise<void> {
    const { dataSource } = await this.context.open();
    if (account !== undefined) await assertAccountExists(dataSource, account);
    const scope = account === undefined ? ('every account' as const) : { accountId: account };
    const rows = (
      await new WebhookDeliveries(dataSource.getRepository(WebhookDelivery)).listDeliveries(scope, page)
    ).map(toDeliveryRow);
    printResult({ json }, rows, () => formatDeliveries(rows));
  }

  @Option({ flags: '--state <state>', description: STATES.join(', ') })
  parseState(text: string): DeliveryState {
    return parseChoice('--state', STATES, text);
  }

  @Option({ flags: '--limit <n>', description: `number of rows, at most ${MAX_PAGE_SIZE} (default 50)` })
  parseLimit(text: string): number {
    return parseLimit(text, MAX_PAGE_SIZE);
  }

  @Option({ flags: '--before <delivery_id>', description: 'continue after this delivery' })
  parseBefore(id: string): string {
    if (!isUuid(id)) throw new CommandError(`There is no delivery ${id}.`);
    return id;
  }
}

@SubCommand({ name: 'attempts', arguments: '<delivery_id>', description: 'list the attempts of a delivery' })
export class ListAttemptsCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run([id = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    const deliveries = new WebhookDeliveries(dataSource.getRepository(WebhookDelivery));
    if (!isUuid(id) || (await deliveries.findState(id)) === null)
      throw new CommandError(`There is no delivery ${id}.`);
    const rows = (await deliveries.listAttempts('every account', id)).map(toAttemptRow);
    printResult(options, rows, () => formatAttempts(rows));
  }
}
