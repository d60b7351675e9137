import { type AuditFilter, listAuditEvents } from '@app/auth';
import { Command } from 'nest-commander';
import { WithOptions, OperatorCommand } from '../operator-command.js';
import { parseRowLimit, parseTimestamp } from '../option-values.js';
import { printTableOrJson } from '../output.js';
import { ACCOUNT_FILTER_OPTION, type AccountCommandOptions } from '../resolve-account.js';

const MAX_EVENTS = 1000;

interface AuditOptions extends AccountCommandOptions {
  actor?: string;
  action?: string;
  target?: string;
  since?: Date;
  limit?: number;
}

@Command({ name: 'audit', description: 'list what people, keys and operators changed, newest first' })
@WithOptions(
  ACCOUNT_FILTER_OPTION,
  { flags: '--actor <id>', description: 'by this user, key or operator' },
  { flags: '--action <name>', description: 'this action, or all that begin with a prefix such as key.' },
  { flags: '--target <id>', description: 'of this job, key, user or other target' },
  {
    flags: '--since <time>',
    description: 'from this ISO 8601 time on',
    parse: (text) => parseTimestamp(text, '--since'),
  },
  {
    flags: '--limit <n>',
    description: `at most this many (default 50, at most ${MAX_EVENTS})`,
    parse: (text) => parseRowLimit(text, MAX_EVENTS),
  },
)
export class ListAuditEventsCommand extends OperatorCommand {
  async run(
    _: string[],
    { limit = 50, account, actor, action, target, since, ...options }: AuditOptions,
  ): Promise<void> {
    const { dataSource } = await this.context.open();
    const filter: AuditFilter = {
      ...(account !== undefined && { accountId: account }),
      ...(actor !== undefined && { actorId: actor }),
      ...(action !== undefined && { action }),
      ...(target !== undefined && { target }),
      ...(since !== undefined && { since }),
    };
    const rows = (await listAuditEvents(dataSource, filter, limit)).map((event) => ({
      id: event.id,
      at: event.at.toISOString(),
      account_id: event.accountId,
      actor_kind: event.actorKind,
      actor_id: event.actorId,
      actor: `${event.actorKind} ${event.actorName ?? event.actorId ?? ''}`.trim(),
      action: event.action,
      target: event.target,
      address: event.address,
      request_id: event.requestId,
      details: event.details,
    }));
    printTableOrJson(options, rows, {
      TIME: 'at',
      ACTOR: 'actor',
      ACTION: 'action',
      TARGET: 'target',
      ACCOUNT: 'account_id',
    });
  }
}
