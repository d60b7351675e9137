import { type Actor, ConsoleKeys, hasPermission, ROUTE_LIMITS_PER_MINUTE, RateLimited } from '@app/auth';
import { invalidFieldError } from '@app/errors';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { type AccountSession, CurrentActor, CurrentMember, RequireAccess } from '../console-access.js';
import { ConsoleController } from '../console-controller.js';
import { ConsoleRoute } from '../console.openapi.js';
import { ResourceNamePipe } from '../resource-id.pipe.js';
import { parseTimeParameter } from '../query-values.js';
import { CreateKeyDto, KeyListResponse, NewKeyResponse, toKeyResponse } from './keys.dto.js';

@ConsoleController('keys')
@Controller('console/api/keys')
export class ConsoleKeysController {
  constructor(private readonly keys: ConsoleKeys) {}

  @Get()
  @RequireAccess('keys.read')
  @ConsoleRoute('listKeys', 'List the keys of the account', KeyListResponse)
  async list(@CurrentMember() { accountId }: AccountSession): Promise<KeyListResponse> {
    const keys = await this.keys.list(accountId);
    return { keys: keys.map(toKeyResponse), default_limits: ROUTE_LIMITS_PER_MINUTE };
  }

  @Post()
  @RateLimited('console.key')
  @RequireAccess('keys.create')
  @ConsoleRoute('createKey', 'Create a key', NewKeyResponse)
  async create(
    @CurrentMember() { accountId, userId }: AccountSession,
    @CurrentActor() actor: Actor,
    @Body() { name, expires_at }: CreateKeyDto,
  ): Promise<NewKeyResponse> {
    const key = { accountId, userId, name, expiresAt: parseExpiry(expires_at ?? null) };
    const { keyId, apiKey } = await this.keys.create(key, actor);
    return { id: keyId, api_key: apiKey };
  }

  /** Own keys; those of others with another permission. */
  @Delete(':id')
  @RequireAccess('keys.revoke_own')
  @ConsoleRoute('revokeKey', 'Revoke a key at once')
  revoke(
    @CurrentMember() { accountId, userId, role }: AccountSession,
    @CurrentActor() actor: Actor,
    @Param('id', ResourceNamePipe) id: string,
  ): Promise<void> {
    const ownerId = hasPermission(role, 'keys.revoke_any') ? null : userId;
    return this.keys.revoke(accountId, id, ownerId, actor);
  }
}

function parseExpiry(text: string | null): Date | null {
  if (text === null) return null;
  const time = parseTimeParameter('expires_at', text);
  if (time.getTime() <= Date.now()) throw invalidFieldError('expires_at', 'must be in the future');
  return time;
}
