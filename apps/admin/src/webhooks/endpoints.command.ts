import { JOB_END_EVENTS, type JobEndEventType, type RecordChange } from '@app/database';
import { ServiceError } from '@app/errors';
import { OutboundGuard } from '@app/outbound';
import { type WebhookEndpointSettings, WebhookEndpointService } from '@app/webhooks';
import { SubCommand } from 'nest-commander';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { AdminServices } from '../lazy-admin-services.js';
import { ParentCommand, type CommandOption, OperatorCommand, WithOptions } from '../operator-command.js';
import { recordOperatorAction } from '../operator-audit.js';
import { parsePrintableText } from '../option-values.js';
import { CommandError, printResult, printTableOrJson } from '../output.js';
import {
  ACCOUNT_OPTION,
  type AccountCommandOptions,
  resolveGivenOrOnlyAccountId,
} from '../resolve-account.js';

const EVENTS_OPTION: CommandOption = {
  flags: '--events <names>',
  description: `${JOB_END_EVENTS.join(', ')}, comma-separated (default both)`,
  parse: parseEvents,
};
const DESCRIPTION_OPTION: CommandOption = {
  flags: '--description <text>',
  description: 'what it is for',
  parse: parsePrintableText,
};

interface EndpointOptions extends AccountCommandOptions {
  url?: string;
  description?: string;
  events?: JobEndEventType[];
}

abstract class WebhookEndpointCommand extends OperatorCommand {
  /** @param work gets the account, and records the change in the audit log */
  protected async withEndpoints<T>(
    { account }: AccountCommandOptions,
    work: (endpoints: WebhookEndpointService, accountId: string, record: RecordChange) => Promise<T>,
  ): Promise<T> {
    const { dataSource, bootContext } = await this.context.open();
    const accountId = await resolveGivenOrOnlyAccountId(dataSource, account);
    const record: RecordChange = (tx, change) => recordOperatorAction(tx, { accountId, ...change });
    try {
      return await work(createEndpoints(dataSource, bootContext), accountId, record);
    } catch (error) {
      throw error instanceof ServiceError ? new CommandError(error.message) : error;
    }
  }

  protected async changeEndpoint(
    id: string,
    options: AccountCommandOptions,
    changes: Partial<WebhookEndpointSettings>,
  ): Promise<void> {
    await this.withEndpoints(options, (endpoints, accountId, record) =>
      endpoints.change(accountId, parseEndpointId(id), changes, record),
    );
    printResult(options, { endpoint_id: id, ...changes }, () => `Endpoint ${id} is changed.`);
  }
}

@SubCommand({ name: 'list', description: 'list the webhook endpoints of an account' })
@WithOptions(ACCOUNT_OPTION)
export class ListWebhookEndpointsCommand extends WebhookEndpointCommand {
  async run(_: string[], options: AccountCommandOptions): Promise<void> {
    const endpoints = await this.withEndpoints(options, (all, accountId) => all.list(accountId));
    const rows = endpoints.map(({ id, accountId, url, description, events, enabled, createdAt }) => ({
      endpoint_id: id,
      account_id: accountId,
      ...{ url, description, events, enabled },
      created_at: createdAt.toISOString(),
    }));
    printTableOrJson(options, rows, {
      ENDPOINT: 'endpoint_id',
      EVENTS: ({ events }) => events.join(','),
      ENABLED: 'enabled',
      // The query may contain secrets of the receiver.
      TO: ({ url }) => url.split('?')[0],
      DESCRIPTION: 'description',
    });
  }
}

@SubCommand({
  name: 'create',
  arguments: '<url>',
  description: 'send the webhooks of all jobs of an account to a URL',
})
@WithOptions(EVENTS_OPTION, DESCRIPTION_OPTION, ACCOUNT_OPTION)
export class CreateWebhookEndpointCommand extends WebhookEndpointCommand {
  async run([given = '']: string[], options: EndpointOptions): Promise<void> {
    const url = parsePrintableText(given, 'The URL');
    const { description = '', events = [...JOB_END_EVENTS] } = options;
    const endpoint_id = await this.withEndpoints(options, (endpoints, accountId, record) =>
      endpoints.create({ accountId, createdBy: null }, { url, description, events, enabled: true }, record),
    );
    printResult(
      options,
      { endpoint_id, url, description, events },
      () => `Endpoint ${endpoint_id} is created.`,
    );
  }
}

@SubCommand({ name: 'change', arguments: '<endpoint_id>', description: 'change what is given' })
@WithOptions(
  { flags: '--url <url>', description: 'new URL', parse: parsePrintableText },
  EVENTS_OPTION,
  DESCRIPTION_OPTION,
  ACCOUNT_OPTION,
)
export class ChangeWebhookEndpointCommand extends WebhookEndpointCommand {
  async run([id = '']: string[], options: EndpointOptions): Promise<void> {
    const { url, description, events } = options;
    const changes = {
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(events !== undefined && { events }),
    };
    if (Object.keys(changes).length === 0) throw new CommandError('Give --url, --events or --description.');
    await this.changeEndpoint(id, options, changes);
  }
}

@SubCommand({
  name: 'disable',
  arguments: '<endpoint_id>',
  description: 'send it no webhooks; pending deliveries to it are cancelled',
})
@WithOptions(ACCOUNT_OPTION)
export class DisableWebhookEndpointCommand extends WebhookEndpointCommand {
  run([id = '']: string[], options: AccountCommandOptions): Promise<void> {
    return this.changeEndpoint(id, options, { enabled: false });
  }
}

@SubCommand({
  name: 'enable',
  arguments: '<endpoint_id>',
  description: 'send it webhooks of jobs that end from now on',
})
@WithOptions(ACCOUNT_OPTION)
export class EnableWebhookEndpointCommand extends WebhookEndpointCommand {
  run([id = '']: string[], options: AccountCommandOptions): Promise<void> {
    return this.changeEndpoint(id, options, { enabled: true });
  }
}

@SubCommand({
  name: 'delete',
  arguments: '<endpoint_id>',
  description: 'delete it; pending deliveries to it are cancelled',
})
@WithOptions(ACCOUNT_OPTION)
export class DeleteWebhookEndpointCommand extends WebhookEndpointCommand {
  async run([id = '']: string[], options: AccountCommandOptions): Promise<void> {
    await this.withEndpoints(options, (endpoints, accountId, record) =>
      endpoints.delete(accountId, parseEndpointId(id), record),
    );
    printResult(options, { endpoint_id: id, deleted: true }, () => `Endpoint ${id} is deleted.`);
  }
}

export const ENDPOINT_COMMANDS = [
  ListWebhookEndpointsCommand,
  CreateWebhookEndpointCommand,
  ChangeWebhookEndpointCommand,
  DisableWebhookEndpointCommand,
  EnableWebhookEndpointCommand,
  DeleteWebhookEndpointCommand,
];

@SubCommand({
  name: 'endpoints',
  description: 'standing webhook endpoints of an account',
  subCommands: ENDPOINT_COMMANDS,
})
export class WebhookEndpointsParentCommand extends ParentCommand {}

function createEndpoints(
  dataSource: DataSource,
  { config }: AdminServices['bootContext'],
): WebhookEndpointService {
  // Callers are told to ask the operator; the operator is told what to do.
  const onRefused = (host: string) => {
    throw new CommandError(
      `${host} does not lead to public addresses only: check the spelling, or permit it with OUTBOUND_ALLOW.`,
    );
  };
  const onNameServersSilent = (host: string) => {
    throw new CommandError(`${host} cannot be looked up, because no name server responds.`);
  };
  const guard = new OutboundGuard({ ...config.outbound, onRefused, onNameServersSilent });
  return new WebhookEndpointService(dataSource, guard);
}

function parseEvents(text: string, option: string): JobEndEventType[] {
  const names = new Set(text.split(','));
  const events = JOB_END_EVENTS.filter((event) => names.delete(event));
  if (events.length === 0 || names.size > 0)
    throw new CommandError(`${option} takes ${JOB_END_EVENTS.join(',')}.`);
  return events;
}

function parseEndpointId(id: string): string {
  if (!isUuid(id)) throw new CommandError(`There is no endpoint ${id}.`);
  return id;
}
