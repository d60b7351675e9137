import {
  type AuditActor,
  ConsoleApiKeys,
  hasPermission,
  API_LIMITS_PER_MINUTE,
  RateLimited,
} from '@app/auth';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { type MemberSession, CurrentActor, CurrentMemberSession, RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import { KeyOrPasskeyIdPipe } from '../resource-id.pipe.js';
import { parseKeyExpiry } from './parse-key-expiry.js';
import { CreateApiKeyDto, ApiKeyListResponse, CreatedApiKeyResponse, toApiKeyResponse } from './keys.dto.js';

@UseConsoleGuardsAndTag('keys')
@Controller('console/api/keys')
export class ConsoleApiKeysController {
  constructor(private readonly keys: ConsoleApiKeys) {}

  @Get()
  @RequireAccess('keys.read')
  @ApiConsoleRoute('listKeys', 'List the keys of the account', ApiKeyListResponse)
  async list(@CurrentMemberSession() { accountId }: MemberSession): Promise<ApiKeyListResponse> {
    const keys = await this.keys.list(accountId);
    return { keys: keys.map(toApiKeyResponse), default_limits: API_LIMITS_PER_MINUTE };
  }

  @Post()
  @RateLimited('console.key')
  @RequireAccess('keys.create')
  @ApiConsoleRoute('createKey', 'Create a key', CreatedApiKeyResponse)
  async create(
    @CurrentMemberSession() { accountId, userId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { name, expires_at }: CreateApiKeyDto,
  ): Promise<CreatedApiKeyResponse> {
    const key = { accountId, userId, name, expiresAt: parseKeyExpiry(expires_at ?? null) };
    const { keyId, apiKey } = await this.keys.create(key, actor);
    return { id: keyId, api_key: apiKey };
  }

  /** Own keys; those of others with another permission. */
  @Delete(':id')
  @RequireAccess('keys.revoke_own')
  @ApiConsoleRoute('revokeKey', 'Revoke a key at once')
  revoke(
    @CurrentMemberSession() { accountId, userId, role }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Param('id', KeyOrPasskeyIdPipe) id: string,
  ): Promise<void> {
    const ownerId = hasPermission(role, 'keys.revoke_any') ? null : userId;
    return this.keys.revoke(accountId, id, ownerId, actor);
  }
}
