import type { AuditEvent } from '@app/database';
import { ApiProperty } from '@nestjs/swagger';
import {
  ApiNumberProperty,
  ApiRecordProperty,
  ApiTextProperty,
  ApiTimeProperty,
} from '../console.openapi.js';

export const AUDIT_PAGE_SIZE = 50;

export class AuditActorResponse {
  @ApiTextProperty({ enum: ['user', 'key', 'operator', 'system'] })
  kind: string;

  @ApiTextProperty({ nullable: true })
  id: string | null;

  @ApiTextProperty({ nullable: true, description: 'Mail address, or the name of the key.' })
  name: string | null;
}

export class AuditEventResponse {
  @ApiNumberProperty({ type: 'integer' })
  id: number;

  @ApiTimeProperty()
  at: Date;

  @ApiProperty({ type: AuditActorResponse })
  actor: AuditActorResponse;

  @ApiTextProperty({ description: 'Such as `key.created`.' })
  action: string;

  @ApiTextProperty({ nullable: true, description: 'Id of what was changed.' })
  target: string | null;

  @ApiTextProperty({ nullable: true })
  address: string | null;

  @ApiTextProperty({ nullable: true })
  request_id: string | null;

  @ApiRecordProperty({})
  details: object;
}

export class AuditPageResponse {
  @ApiProperty({ type: [AuditEventResponse], description: 'Newest first.' })
  events: AuditEventResponse[];

  @ApiNumberProperty({
    type: 'integer',
    nullable: true,
    description: '`before` of the next page; null on the last one.',
  })
  next_before: number | null;
}

/** @param events at most `AUDIT_PAGE_SIZE` */
export function toAuditPage(events: readonly AuditEvent[]): AuditPageResponse {
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
    next_before: events.length === AUDIT_PAGE_SIZE ? (events.at(-1)?.id ?? null) : null,
  };
}
