import { listAuditEvents } from '@app/auth';
import { invalidFieldError } from '@app/errors';
import { Controller, Get, Query, SetMetadata } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type AccountSession, CurrentMember, RequireAccess } from './console-access.js';
import { ConsoleController } from './console-controller.js';
import { ROUTE_ID_METADATA } from '../openapi/api-route.js';

const PAGE_SIZE = 50;

@ConsoleController('audit')
@Controller('console/api/audit')
export class AuditController {
  constructor(private readonly dataSource: DataSource) {}

  /** A page, newest first. `action` is an action, or a prefix that ends in `.`; `before` is of the page before. */
  @Get()
  @SetMetadata(ROUTE_ID_METADATA, 'listAuditEvents')
  @RequireAccess('audit.read')
  async list(
    @CurrentMember() { accountId }: AccountSession,
    @Query() { action, actor, target, since, until, before }: Record<string, string | undefined>,
  ) {
    const filter = {
      accountId,
      ...(action !== undefined && { action }),
      ...(actor !== undefined && { actorId: actor }),
      ...(target !== undefined && { target }),
      ...(since !== undefined && { since: parseTime('since', since) }),
      ...(until !== undefined && { until: parseTime('until', until) }),
      ...(before !== undefined && { before: parseId(before) }),
    };
    const events = await listAuditEvents(this.dataSource, filter, PAGE_SIZE);
    return {
      events: events.map((event) => ({
        id: event.id,
        at: event.at,
        actor: { kind: event.actorKind, id: event.actorId, name: event.actorName },
        action: event.action,
        target: event.target,
        address: event.address,
        request_id: event.requestId,
        details: event.details,
      })),
      next_before: events.length === PAGE_SIZE ? (events.at(-1)?.id ?? null) : null,
    };
  }
}

function parseTime(field: string, text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw invalidFieldError(field, 'must be an ISO 8601 time');
  return time;
}

function parseId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw invalidFieldError('before', 'must be the id of an event');
  return Number(text);
}
