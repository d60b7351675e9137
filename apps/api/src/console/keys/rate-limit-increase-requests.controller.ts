import { type AuditActor, RateLimitIncreaseRequests, RateLimited } from '@app/auth';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { type MemberSession, CurrentActor, CurrentMemberSession, RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import {
  RateLimitIncreaseRequestListResponse,
  NewRateLimitIncreaseRequestResponse,
  RequestRateLimitIncreaseDto,
  toRateLimitIncreaseRequestResponse,
} from './rate-limit-increase-requests.dto.js';

/** Higher rate limits, which the operator of the service grants. */
@UseConsoleGuardsAndTag('keys')
@Controller('console/api/limit-requests')
export class RateLimitIncreaseRequestsController {
  constructor(private readonly requests: RateLimitIncreaseRequests) {}

  @Get()
  @RequireAccess('keys.read')
  @ApiConsoleRoute(
    'listLimitRequests',
    'List requests for higher limits',
    RateLimitIncreaseRequestListResponse,
  )
  async list(
    @CurrentMemberSession() { accountId }: MemberSession,
  ): Promise<RateLimitIncreaseRequestListResponse> {
    return {
      requests: (await this.requests.listOfAccount(accountId)).map(toRateLimitIncreaseRequestResponse),
    };
  }

  @Post()
  @RateLimited('console.limit-request')
  @RequireAccess('limits.request')
  @ApiConsoleRoute('requestLimit', 'Ask for a higher limit of a key', NewRateLimitIncreaseRequestResponse)
  async create(
    @CurrentMemberSession() { accountId, userId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body()
    {
      key_id: keyId,
      limit: limitName,
      requests_per_minute: requestsPerMinute,
      reason,
    }: RequestRateLimitIncreaseDto,
  ): Promise<NewRateLimitIncreaseRequestResponse> {
    const request = { accountId, userId, keyId, limitName, requestsPerMinute, reason };
    return { id: await this.requests.create(request, actor) };
  }
}
