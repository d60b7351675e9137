import { ACTOR_KINDS, type AuditActor, listAuditEvents } from '@app/auth';
import { createInvalidFieldError } from '@app/errors';
import { Controller, Get, Query } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type MemberSession, CurrentMemberSession, RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import {
  parseBeforeParameter,
  parseTimeParameter,
  parseAllowedQueryParameters,
} from '../parse-query-parameters.js';
import { AUDIT_PAGE_SIZE, AuditPageResponse, toAuditPage } from './audit.dto.js';
import { ApiConsoleRoute } from '../console.openapi.js';

const PARAMETERS = ['action', 'actor', 'actor_kind', 'target', 'since', 'until', 'before'] as const;

@UseConsoleGuardsAndTag('audit')
@Controller('console/api/audit')
export class AuditController {
  constructor(private readonly dataSource: DataSource) {}

  /** A page, newest first. `action` is an action, or a prefix that ends in `.`; `actor` is an id; `before` is of the page before. */
  @Get()
  @ApiConsoleRoute('listAuditEvents', 'Read the audit log, newest first', AuditPageResponse)
  @RequireAccess('audit.read')
  async list(
    @CurrentMemberSession() { accountId }: MemberSession,
    @Query() query: Record<string, unknown>,
  ): Promise<AuditPageResponse> {
    const { action, actor, actor_kind, target, since, until, before } = parseAllowedQueryParameters(
      query,
      PARAMETERS,
    );
    const filter = {
      accountId,
      ...(action !== undefined && { action }),
      ...(actor !== undefined && { actorId: actor }),
      ...(actor_kind !== undefined && { actorKind: parseActorKind(actor_kind) }),
      ...(target !== undefined && { target }),
      ...(since !== undefined && { since: parseTimeParameter('since', since) }),
      ...(until !== undefined && { until: parseTimeParameter('until', until) }),
      ...(before !== undefined && { before: parseBeforeParameter('before', before) }),
    };
    return toAuditPage(await listAuditEvents(this.dataSource, filter, AUDIT_PAGE_SIZE));
  }
}

function parseActorKind(text: string): AuditActor['kind'] {
  const kind = ACTOR_KINDS.find((each) => each === text);
  if (kind === undefined)
    throw createInvalidFieldError('actor_kind', `must be one of ${ACTOR_KINDS.join(', ')}`);
  return kind;
}
