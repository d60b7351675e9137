import { type DeliveryState, inTransaction } from '@app/database';
import {
  findWebhookDeliveryForOperator,
  listWebhookDeliveriesForOperator,
  listWebhookAttempts,
  replayDelivery,
  replayFailedDeliveries,
} from '@app/webhooks';
import { SubCommand } from 'nest-commander';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { WithOptions, OperatorCommand } from '../operator-command.js';
import { recordOperatorAction } from '../operator-audit.js';
import { parseChoice, parseRowLimit, parseTimestamp } from '../option-values.js';
import { CommandError, type JsonOption, printResult, printTableOrJson } from '../output.js';
import {
  ACCOUNT_FILTER_OPTION,
  ACCOUNT_OPTION,
  type AccountCommandOptions,
  assertAccountExists,
  resolveGivenOrOnlyAccountId,
} from '../resolve-account.js';

const STATES: readonly DeliveryState[] = ['pending', 'delivered', 'failed', 'cancelled'];
const MAX_PAGE_SIZE = 100;

interface ListOptions extends AccountCommandOptions {
  state?: DeliveryState;
  limit?: number;
  before?: string;
}

@SubCommand({ name: 'deliveries', description: 'list deliveries, newest first' })
@WithOptions(
  {
    flags: '--state <state>',
    description: STATES.join(', '),
    parse: (text, option) => parseChoice(text, option, STATES),
  },
  {
    flags: '--limit <n>',
    description: `number of rows, at most ${MAX_PAGE_SIZE} (default 50)`,
    parse: (text) => parseRowLimit(text, MAX_PAGE_SIZE),
  },
  { flags: '--before <delivery_id>', description: 'continue after this delivery', parse: parseDeliveryId },
  ACCOUNT_FILTER_OPTION,
)
export class ListDeliveriesCommand extends OperatorCommand {
  async run(_: string[], { json, account, ...page }: ListOptions): Promise<void> {
    const { dataSource } = await this.context.open();
    if (account !== undefined) await assertAccountExists(dataSource, account);
    const rows = (await listWebhookDeliveriesForOperator(dataSource, account ?? null, page)).map(
      (delivery) => ({
        delivery_id: delivery.id,
        account_id: delivery.accountId,
        job_id: delivery.jobId,
        endpoint_id: delivery.endpointId,
        url: delivery.url,
        event: delivery.event,
        state: delivery.state,
        attempts: delivery.attempts,
        next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
        created_at: delivery.createdAt.toISOString(),
        finished_at: delivery.finishedAt?.toISOString() ?? null,
      }),
    );
    printTableOrJson({ json }, rows, {
      DELIVERY: 'delivery_id',
      JOB: 'job_id',
      EVENT: 'event',
      STATE: 'state',
      ATTEMPTS: 'attempts',
      NEXT: 'next_attempt_at',
      // The query may contain secrets of the receiver.
      TO: ({ url }) => url.split('?')[0],
    });
  }
}

@SubCommand({ name: 'attempts', arguments: '<delivery_id>', description: 'list the attempts of a delivery' })
export class ListAttemptsCommand extends OperatorCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    const { dataSource } = await this.context.open();
    if ((await findWebhookDeliveryForOperator(dataSource, parseDeliveryId(id))) === null)
      throw createUnknownDeliveryError(id);
    const attempts = await listWebhookAttempts(dataSource, null, id);
    const rows = attempts.map(({ number, at, statusCode, error, ms }) => ({
      ...{ number, at: at.toISOString(), status_code: statusCode, error, ms },
    }));
    printTableOrJson(options, rows, {
      ATTEMPT: 'number',
      ENDED: 'at',
      ANSWER: 'status_code',
      MS: 'ms',
      ERROR: 'error',
    });
  }
}

interface ReplayOptions extends AccountCommandOptions {
  failed?: boolean;
  since?: Date;
}

@SubCommand({
  name: 'replay',
  arguments: '[delivery_id]',
  description: 'send one delivery again, or all failed deliveries of an account',
})
@WithOptions(
  { ...ACCOUNT_OPTION, description: 'the account, with --failed; optional if there is only one' },
  { flags: '--failed', description: 'every delivery that failed permanently' },
  {
    flags: '--since <moment>',
    description: 'with --failed: only those that failed since then (ISO 8601, UTC)',
    parse: parseTimestamp,
  },
)
export class ReplayDeliveriesCommand extends OperatorCommand {
  async run([id]: string[], options: ReplayOptions): Promise<void> {
    const { dataSource } = await this.context.open();
    const { failed, since } = options;
    if (id !== undefined && options.account === undefined && failed === undefined && since === undefined)
      return this.replayOne(dataSource, id, options);
    if (id !== undefined || failed !== true)
      throw new CommandError('Give either a delivery, or --failed and an --account.');
    const account = await resolveGivenOrOnlyAccountId(dataSource, options.account);
    const replayed = await inTransaction(dataSource, async (tx) => {
      const filter = { since: since ?? null, endpointId: null, limit: null };
      const count = await replayFailedDeliveries(tx, account, filter);
      const entry = { accountId: account, action: 'webhooks.replayed', details: { deliveries: count } };
      if (count > 0) await recordOperatorAction(tx, entry);
      return count;
    });
    printResult(options, { account_id: account, replayed }, () => `${replayed} deliveries are due again.`);
  }

  private async replayOne(dataSource: DataSource, id: string, options: JsonOption): Promise<void> {
    const delivery = await findWebhookDeliveryForOperator(dataSource, parseDeliveryId(id));
    if (delivery === null) throw createUnknownDeliveryError(id);
    const { accountId } = delivery;
    const isReplayed = await inTransaction(dataSource, async (tx) => {
      if (!(await replayDelivery(tx, accountId, id))) return false;
      const entry = { accountId, action: 'webhooks.replayed', target: id, details: { deliveries: 1 } };
      await recordOperatorAction(tx, entry);
      return true;
    });
    if (!isReplayed) throw await createReplayError(dataSource, id);
    printResult(options, { delivery_id: id, replayed: true }, () => `Delivery ${id} is due again.`);
  }
}

/** The state is read afterwards, because another replay may have come first. */
async function createReplayError(dataSource: DataSource, id: string): Promise<CommandError> {
  const delivery = await findWebhookDeliveryForOperator(dataSource, id);
  if (delivery === null) return createUnknownDeliveryError(id);
  return new CommandError(
    delivery.state === 'pending'
      ? `Delivery ${id} is still pending.`
      : `The endpoint of delivery ${id} is disabled or deleted.`,
  );
}

function parseDeliveryId(id: string): string {
  if (!isUuid(id)) throw createUnknownDeliveryError(id);
  return id;
}

function createUnknownDeliveryError(id: string): CommandError {
  return new CommandError(`There is no delivery ${id}.`);
}
