import { type AuditActor, hasPermission, RateLimited, recordAuditEvent } from '@app/auth';
import { AccountWebhookDeliveryService } from '@app/webhooks';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { type MemberSession, CurrentActor, CurrentMemberSession, RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import { parseAllowedQueryParameters } from '../parse-query-parameters.js';
import { UuidResourceIdPipe } from '../resource-id.pipe.js';
import {
  WebhookDeliveryDetailResponse,
  DeliveryListResponse,
  parseDeliveryFilter,
  parseUuidParameter,
  ReplayFailedDeliveriesDto,
  ReplayFailedDeliveriesResponse,
  toDeliveryDetailResponse,
  toDeliveryResponse,
} from './deliveries.dto.js';

const PAGE_SIZE = 50;
const PARAMETERS = ['status', 'endpoint', 'job_id', 'cursor'] as const;

@UseConsoleGuardsAndTag('webhooks')
@Controller('console/api/deliveries')
export class DeliveriesController {
  constructor(private readonly log: AccountWebhookDeliveryService) {}

  @Get()
  @RequireAccess('webhooks.read')
  @ApiConsoleRoute('listDeliveries', 'List webhook deliveries', DeliveryListResponse)
  @ApiQuery({ name: 'status', required: false, type: String })
  @ApiQuery({ name: 'endpoint', required: false, type: String })
  @ApiQuery({ name: 'job_id', required: false, type: String })
  @ApiQuery({ name: 'cursor', required: false, type: String })
  async list(
    @CurrentMemberSession() { accountId, role }: MemberSession,
    @Query() query: Record<string, unknown>,
  ): Promise<DeliveryListResponse> {
    const { cursor, ...filter } = parseAllowedQueryParameters(query, PARAMETERS);
    const before = cursor === undefined ? null : parseUuidParameter('cursor', cursor);
    const page = { limit: PAGE_SIZE + 1, before };
    const found = await this.log.list(accountId, parseDeliveryFilter(filter), page);
    const deliveries = found.slice(0, PAGE_SIZE);
    const isManager = hasPermission(role, 'webhooks.write');
    return {
      deliveries: deliveries.map((delivery) => toDeliveryResponse(delivery, isManager)),
      next_cursor: found.length > PAGE_SIZE ? (deliveries.at(-1)?.id ?? null) : null,
    };
  }

  @Get(':id')
  @RequireAccess('webhooks.read')
  @ApiConsoleRoute('getDelivery', 'Read a delivery with its attempts', WebhookDeliveryDetailResponse)
  async read(
    @CurrentMemberSession() { accountId, role }: MemberSession,
    @Param('id', UuidResourceIdPipe) id: string,
  ): Promise<WebhookDeliveryDetailResponse> {
    const { delivery, attempts } = await this.log.read(accountId, id);
    return toDeliveryDetailResponse(delivery, attempts, hasPermission(role, 'webhooks.write'));
  }

  @Post('replay-failed')
  @RateLimited('console.replay-failed')
  @RequireAccess('webhooks.write')
  @ApiConsoleRoute('replayFailedDeliveries', 'Send failed deliveries again', ReplayFailedDeliveriesResponse)
  async replayFailed(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { endpoint_id }: ReplayFailedDeliveriesDto,
  ): Promise<ReplayFailedDeliveriesResponse> {
    const endpointId = endpoint_id ?? null;
    const { replayed, hasMore } = await this.log.replayFailed(accountId, endpointId, (tx, deliveries) =>
      recordAuditEvent(tx, actor, {
        ...{ accountId, action: 'webhooks.replayed', target: endpointId, details: { deliveries } },
      }),
    );
    return { replayed, has_more: hasMore };
  }

  @Post(':id/replay')
  @RateLimited('console.replay')
  @RequireAccess('webhooks.write')
  @ApiConsoleRoute('replayDelivery', 'Send a delivery again')
  replay(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Param('id', UuidResourceIdPipe) id: string,
  ): Promise<void> {
    const entry = { accountId, action: 'webhooks.replayed', target: id, details: { deliveries: 1 } };
    return this.log.replay(accountId, id, (tx) => recordAuditEvent(tx, actor, entry));
  }
}
