import { type Actor, hasPermission, RateLimited, recordAuditEvent } from '@app/auth';
import { DeliveryLog } from '@app/webhooks';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { type AccountSession, CurrentActor, CurrentMember, RequireAccess } from '../console-access.js';
import { ConsoleController } from '../console-controller.js';
import { ConsoleRoute } from '../console.openapi.js';
import { readQueryParameters } from '../query-values.js';
import { ResourceIdPipe } from '../resource-id.pipe.js';
import {
  WebhookDeliveryDetailResponse,
  DeliveryListResponse,
  parseDeliveryFilter,
  parseId,
  ReplayFailedDto,
  ReplayFailedResponse,
  toDeliveryDetailResponse,
  toDeliveryResponse,
} from './deliveries.dto.js';

const PAGE_SIZE = 50;
const PARAMETERS = ['status', 'endpoint', 'job_id', 'cursor'] as const;

@ConsoleController('webhooks')
@Controller('console/api/deliveries')
export class DeliveriesController {
  constructor(private readonly log: DeliveryLog) {}

  @Get()
  @RequireAccess('webhooks.read')
  @ConsoleRoute('listDeliveries', 'List webhook deliveries', DeliveryListResponse)
  @ApiQuery({ name: 'status', required: false, type: String })
  @ApiQuery({ name: 'endpoint', required: false, type: String })
  @ApiQuery({ name: 'job_id', required: false, type: String })
  @ApiQuery({ name: 'cursor', required: false, type: String })
  async list(
    @CurrentMember() { accountId, role }: AccountSession,
    @Query() query: Record<string, unknown>,
  ): Promise<DeliveryListResponse> {
    const { cursor, ...filter } = readQueryParameters(query, PARAMETERS);
    const before = cursor === undefined ? null : parseId('cursor', cursor);
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
  @ConsoleRoute('getDelivery', 'Read a delivery with its attempts', WebhookDeliveryDetailResponse)
  async read(
    @CurrentMember() { accountId, role }: AccountSession,
    @Param('id', ResourceIdPipe) id: string,
  ): Promise<WebhookDeliveryDetailResponse> {
    const { delivery, attempts } = await this.log.read(accountId, id);
    return toDeliveryDetailResponse(delivery, attempts, hasPermission(role, 'webhooks.write'));
  }

  @Post('replay-failed')
  @RateLimited('console.replay-failed')
  @RequireAccess('webhooks.write')
  @ConsoleRoute('replayFailedDeliveries', 'Send failed deliveries again', ReplayFailedResponse)
  async replayFailed(
    @CurrentMember() { accountId }: AccountSession,
    @CurrentActor() actor: Actor,
    @Body() { endpoint_id }: ReplayFailedDto,
  ): Promise<ReplayFailedResponse> {
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
  @ConsoleRoute('replayDelivery', 'Send a delivery again')
  replay(
    @CurrentMember() { accountId }: AccountSession,
    @CurrentActor() actor: Actor,
    @Param('id', ResourceIdPipe) id: string,
  ): Promise<void> {
    const entry = { accountId, action: 'webhooks.replayed', target: id, details: { deliveries: 1 } };
    return this.log.replay(accountId, id, (tx) => recordAuditEvent(tx, actor, entry));
  }
}
