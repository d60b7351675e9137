import type { DeliveryState } from '@app/database';
import { Deliveries } from '@app/webhooks';

import { Option, SubCommand } from 'nest-commander';
import { validate as isUuid } from 'uuid';
import { type AccountOption, AccountFilterCommand, accountMustExist } from '../account-option.js';
import { JsonCommand } from '../json-command.js';
import { parseChoice, parseLimit } from '../option-values.js';
import { CommandRefused, type JsonOption, print } from '../output.js';
import { Workplace } from '../workplace.js';
import { attemptRow, attemptsText, deliveriesText, deliveryRow } from './delivery-rows.js';

const STATES: readonly DeliveryState[] = ['pending', 'delivered', 'failed'];
const LARGEST_PAGE = 100;

interface ListOptions extends AccountOption {
  state?: DeliveryState;
  limit?: number;
  before?: string;
}

@SubCommand({ name: 'deliveries', description: 'list deliveries, newest first' })
export class ListDeliveriesCommand extends AccountFilterCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], { json, account, ...page }: ListOptions): Promise<void> {
    const { dataSource } = await this.workplace.open();
    if (account !== undefined) await accountMustExist(dataSource, account);
    const scope = account === undefined ? ('every account' as const) : { accountId: account };
    const rows = (await new Deliveries(dataSource).listDeliveries(scope, page)).map(deliveryRow);
    print({ json }, rows, () => deliveriesText(rows));
  }

  @Option({ flags: '--state <state>', description: STATES.join(', ') })
  parseState(text: string): DeliveryState {
    return parseChoice('--state', STATES, text);
  }

  @Option({ flags: '--limit <n>', description: `number of rows, at most ${LARGEST_PAGE} (default 50)` })
  parseLimit(text: string): number {
    return parseLimit(text, LARGEST_PAGE);
  }

  @Option({ flags: '--before <delivery_id>', description: 'continue after this delivery' })
  parseBefore(id: string): string {
    if (!isUuid(id)) throw new CommandRefused(`There is no delivery ${id}.`);
    return id;
  }
}

@SubCommand({ name: 'attempts', arguments: '<delivery_id>', description: 'list the attempts of a delivery' })
export class ListAttemptsCommand extends JsonCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run([id = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.workplace.open();
    const deliveries = new Deliveries(dataSource);
    if (!isUuid(id) || (await deliveries.stateOf(id)) === null)
      throw new CommandRefused(`There is no delivery ${id}.`);
    const rows = (await deliveries.listAttempts('every account', id)).map(attemptRow);
    print(options, rows, () => attemptsText(rows));
  }
}
