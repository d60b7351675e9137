import {
  type ApiKeyCaller,
  resolveApiRateLimits,
  RATE_LIMITS_OPTIONS_TOKEN,
  type RateLimitsOptions,
} from '@app/auth';
import { readAccountCreditsAndUsageTodayOfKey } from '@app/billing';
import { ServiceError } from '@app/errors';
import { Inject, Injectable } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import { type AccountResponse, ApiKeyUsageToday } from './account.dto.js';

@Injectable()
export class AccountOverviewService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
    @Inject(RATE_LIMITS_OPTIONS_TOKEN) private readonly limits: RateLimitsOptions,
  ) {}

  /** @throws ServiceError `invalid_api_key` when the account was deleted after the key was verified */
  async getAccount({ accountId, keyId, limitOverrides: limits }: ApiKeyCaller): Promise<AccountResponse> {
    const overview = await readAccountCreditsAndUsageTodayOfKey(this.dataSource, accountId, keyId);
    if (!overview) throw new ServiceError('invalid_api_key');
    const { name, keyName, balance, held } = overview;
    const { creditsPerSecond, uploadBytes, multipartBytes, audioBodyBytes } = this.options;
    return {
      account_id: accountId,
      name,
      api_key: { id: keyId, name: keyName },
      credits: { balance, held, per_second: creditsPerSecond },
      max_bytes: { upload: uploadBytes, multipart: multipartBytes, transcribe: audioBodyBytes },
      rate_limits: resolveApiRateLimits(limits, this.limits.factor),
      today: plainToInstance(ApiKeyUsageToday, overview, { excludeExtraneousValues: true }),
    };
  }
}
