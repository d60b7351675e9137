import { type AuditActor, LimitIncreaseRequests, RateLimited } from '@app/auth';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { type MemberSession, CurrentActor, CurrentMemberSession, RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import {
  LimitIncreaseRequestListResponse,
  NewLimitIncreaseRequestResponse,
  RequestLimitIncreaseDto,
  toLimitIncreaseRequestResponse,
} from './limit-increase-requests.dto.js';

/** Higher rate limits, which the operator of the service grants. */
@UseConsoleGuardsAndTag('keys')
@Controller('console/api/limit-requests')
export class LimitIncreaseRequestsController {
  constructor(private readonly requests: LimitIncreaseRequests) {}

  @Get()
  @RequireAccess('keys.read')
  @ApiConsoleRoute('listLimitRequests', 'List requests for higher limits', LimitIncreaseRequestListResponse)
  async list(
    @CurrentMemberSession() { accountId }: MemberSession,
  ): Promise<LimitIncreaseRequestListResponse> {
    return { requests: (await this.requests.listOfAccount(accountId)).map(toLimitIncreaseRequestResponse) };
  }

  @Post()
  @RateLimited('console.limit-request')
  @RequireAccess('limits.request')
  @ApiConsoleRoute('requestLimit', 'Ask for a higher limit of a key', NewLimitIncreaseRequestResponse)
  async create(
    @CurrentMemberSession() { accountId, userId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body()
    {
      key_id: keyId,
      limit: limitName,
      requests_per_minute: requestsPerMinute,
      reason,
    }: RequestLimitIncreaseDto,
  ): Promise<NewLimitIncreaseRequestResponse> {
    const request = { accountId, userId, keyId, limitName, requestsPerMinute, reason };
    return { id: await this.requests.create(request, actor) };
  }
}
