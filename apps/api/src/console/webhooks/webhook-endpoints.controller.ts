import { type AuditActor, hasPermission, RateLimited, createChangeRecorder } from '@app/auth';
import { WebhookSigningSecretService, WebhookEndpointService } from '@app/webhooks';
import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { type MemberSession, CurrentActor, CurrentMemberSession, RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import { UuidResourceIdPipe } from '../resource-id.pipe.js';
import {
  ChangeWebhookEndpointDto,
  CreatedWebhookEndpointIdResponse,
  TestEventDeliveryResponse,
  toWebhookEndpointResponse,
  SaveWebhookEndpointDto,
  WebhookEndpointListResponse,
} from './webhook-endpoints.dto.js';

@UseConsoleGuardsAndTag('webhooks')
@Controller('console/api/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointService,
    private readonly secrets: WebhookSigningSecretService,
  ) {}

  @Get()
  @RequireAccess('webhooks.read')
  @ApiConsoleRoute(
    'listWebhookEndpoints',
    'List the webhook endpoints of the account',
    WebhookEndpointListResponse,
  )
  async list(
    @CurrentMemberSession() { accountId, role }: MemberSession,
  ): Promise<WebhookEndpointListResponse> {
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
  @ApiConsoleRoute('createWebhookEndpoint', 'Create a webhook endpoint', CreatedWebhookEndpointIdResponse)
  async create(
    @CurrentMemberSession() { accountId, userId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() settings: SaveWebhookEndpointDto,
  ): Promise<CreatedWebhookEndpointIdResponse> {
    const owner = { accountId, createdBy: userId };
    return {
      id: await this.endpoints.create(owner, toSettings(settings), createChangeRecorder(actor, accountId)),
    };
  }

  @Put(':id')
  @RateLimited('console.endpoint')
  @RequireAccess('webhooks.write')
  @ApiConsoleRoute(
    'changeWebhookEndpoint',
    'Change, disable or enable a webhook endpoint; fields that are left out stay as they are',
  )
  change(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Param('id', UuidResourceIdPipe) id: string,
    @Body() changes: ChangeWebhookEndpointDto,
  ): Promise<void> {
    return this.endpoints.change(accountId, id, changes, createChangeRecorder(actor, accountId));
  }

  @Delete(':id')
  @RequireAccess('webhooks.write')
  @ApiConsoleRoute('deleteWebhookEndpoint', 'Delete a webhook endpoint; its deliveries stay in the list')
  delete(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Param('id', UuidResourceIdPipe) id: string,
  ): Promise<void> {
    return this.endpoints.delete(accountId, id, createChangeRecorder(actor, accountId));
  }

  @Post(':id/test')
  @RateLimited('console.test-event')
  @RequireAccess('webhooks.write')
  @ApiConsoleRoute('testWebhookEndpoint', 'Send a test event', TestEventDeliveryResponse)
  async test(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Param('id', UuidResourceIdPipe) id: string,
  ): Promise<TestEventDeliveryResponse> {
    return {
      delivery_id: await this.endpoints.sendTest(accountId, id, createChangeRecorder(actor, accountId)),
    };
  }
}

function toSettings({ url, description, events, enabled }: SaveWebhookEndpointDto) {
  return { url, description, events, enabled };
}
