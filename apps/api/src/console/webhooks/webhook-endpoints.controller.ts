import { type Actor, type AuditEntry, hasPermission, RateLimited, recordAuditEvent } from '@app/auth';
import { SigningSecrets, WebhookEndpoints } from '@app/webhooks';
import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type AccountSession, CurrentActor, CurrentMember, RequireAccess } from '../console-access.js';
import { ConsoleController } from '../console-controller.js';
import { ConsoleRoute } from '../console.openapi.js';
import { ResourceIdPipe } from '../resource-id.pipe.js';
import {
  NewWebhookEndpointResponse,
  TestEventResponse,
  toWebhookEndpointResponse,
  WebhookEndpointDto,
  WebhookEndpointListResponse,
} from './webhook-endpoints.dto.js';

@ConsoleController('webhooks')
@Controller('console/api/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly secrets: SigningSecrets,
  ) {}

  @Get()
  @RequireAccess('webhooks.read')
  @ConsoleRoute(
    'listWebhookEndpoints',
    'List the webhook endpoints of the account',
    WebhookEndpointListResponse,
  )
  async list(@CurrentMember() { accountId, role }: AccountSession): Promise<WebhookEndpointListResponse> {
    const [endpoints, previousUntil] = await Promise.all([
      this.endpoints.list(accountId),
      this.secrets.readOverlapEnd(accountId),
    ]);
    const isManager = hasPermission(role, 'webhooks.write');
    return {
      endpoints: endpoints.map((endpoint) => toWebhookEndpointResponse(endpoint, isManager)),
      previous_secret_until: previousUntil,
    };
  }

  @Post()
  @RateLimited('console.endpoint')
  @RequireAccess('webhooks.write')
  @ConsoleRoute('createWebhookEndpoint', 'Create a webhook endpoint', NewWebhookEndpointResponse)
  async create(
    @CurrentMember() { accountId, userId }: AccountSession,
    @CurrentActor() actor: Actor,
    @Body() settings: WebhookEndpointDto,
  ): Promise<NewWebhookEndpointResponse> {
    const owner = { accountId, createdBy: userId };
    return { id: await this.endpoints.create(owner, toSettings(settings), recordBy(actor, accountId)) };
  }

  @Put(':id')
  @RateLimited('console.endpoint')
  @RequireAccess('webhooks.write')
  @ConsoleRoute('changeWebhookEndpoint', 'Change, disable or enable a webhook endpoint')
  change(
    @CurrentMember() { accountId }: AccountSession,
    @CurrentActor() actor: Actor,
    @Param('id', ResourceIdPipe) id: string,
    @Body() settings: WebhookEndpointDto,
  ): Promise<void> {
    return this.endpoints.change(accountId, id, toSettings(settings), recordBy(actor, accountId));
  }

  @Delete(':id')
  @RequireAccess('webhooks.write')
  @ConsoleRoute('deleteWebhookEndpoint', 'Delete a webhook endpoint; its deliveries stay in the list')
  delete(
    @CurrentMember() { accountId }: AccountSession,
    @CurrentActor() actor: Actor,
    @Param('id', ResourceIdPipe) id: string,
  ): Promise<void> {
    return this.endpoints.delete(accountId, id, recordBy(actor, accountId));
  }

  @Post(':id/test')
  @RateLimited('console.test-event')
  @RequireAccess('webhooks.write')
  @ConsoleRoute('testWebhookEndpoint', 'Send a test event', TestEventResponse)
  async test(
    @CurrentMember() { accountId }: AccountSession,
    @CurrentActor() actor: Actor,
    @Param('id', ResourceIdPipe) id: string,
  ): Promise<TestEventResponse> {
    return { delivery_id: await this.endpoints.sendTest(accountId, id, recordBy(actor, accountId)) };
  }
}

function toSettings({ url, description, events, enabled }: WebhookEndpointDto) {
  return { url, description, events, enabled };
}

function recordBy(actor: Actor, accountId: string) {
  return (tx: EntityManager, change: Omit<AuditEntry, 'accountId'>) =>
    recordAuditEvent(tx, actor, { accountId, ...change });
}
