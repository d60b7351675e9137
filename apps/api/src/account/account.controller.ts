import { CurrentCaller, type ApiKeyCaller, RateLimited } from '@app/auth';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AccountResponse } from './account.dto.js';
import { ApiGetAccount } from './account.openapi.js';
import { AccountOverviewService } from './account-overview.service.js';

@ApiTags('account')
@Controller('api/v1/account')
export class AccountController {
  constructor(private readonly accounts: AccountOverviewService) {}

  @Get()
  @RateLimited('account')
  @ApiGetAccount()
  getAccount(@CurrentCaller() caller: ApiKeyCaller): Promise<AccountResponse> {
    return this.accounts.getAccount(caller);
  }
}
