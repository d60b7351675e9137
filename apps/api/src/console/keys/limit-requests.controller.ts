import { type Actor, LimitRequests, RateLimited } from '@app/auth';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { type AccountSession, CurrentActor, CurrentMember, RequireAccess } from '../console-access.js';
import { ConsoleController } from '../console-controller.js';
import { ConsoleRoute } from '../console.openapi.js';
import {
  LimitRequestListResponse,
  NewLimitRequestResponse,
  RequestLimitDto,
  toLimitRequestResponse,
} from './limit-requests.dto.js';

/** Higher rate limits, which the operator of the service grants. */
@ConsoleController('keys')
@Controller('console/api/limit-requests')
export class LimitRequestsController {
  constructor(private readonly requests: LimitRequests) {}

  @Get()
  @RequireAccess('keys.read')
  @ConsoleRoute('listLimitRequests', 'List requests for higher limits', LimitRequestListResponse)
  async list(@CurrentMember() { accountId }: AccountSession): Promise<LimitRequestListResponse> {
    return { requests: (await this.requests.listOfAccount(accountId)).map(toLimitRequestResponse) };
  }

  @Post()
  @RateLimited('console.limit-request')
  @RequireAccess('limits.request')
  @ConsoleRoute('requestLimit', 'Ask for a higher limit of a key', NewLimitRequestResponse)
  async create(
    @CurrentMember() { accountId, userId }: AccountSession,
    @CurrentActor() actor: Actor,
    @Body()
    { key_id: keyId, limit: limitName, requests_per_minute: requestsPerMinute, reason }: RequestLimitDto,
  ): Promise<NewLimitRequestResponse> {
    const request = { accountId, userId, keyId, limitName, requestsPerMinute, reason };
    return { id: await this.requests.create(request, actor) };
  }
}
