import { type Caller, resolveAllLimits, RATE_LIMITS_OPTIONS, type RateLimitsOptions } from '@app/auth';
import { readAccountUsage } from '@app/billing';
import { ServiceError } from '@app/errors';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import type { AccountResponse } from './account.dto.js';

@Injectable()
export class AccountService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
    @Inject(RATE_LIMITS_OPTIONS) private readonly limits: RateLimitsOptions,
  ) {}

  /** @throws ServiceError `invalid_api_key` when the account went after the key was checked */
  async getAccount({ accountId, keyId, limitOverrides: limits }: Caller): Promise<AccountResponse> {
    const figures = await readAccountUsage(this.dataSource, accountId, keyId);
    if (!figures) throw new ServiceError('invalid_api_key');
    const { name, keyName, balance, held, since } = figures;
    const { creditsPerSecond, uploadBytes, multipartBytes, streamBytes } = this.options;
    return {
      account_id: accountId,
      name,
      api_key: { id: keyId, name: keyName },
      credits: { balance, held, per_second: creditsPerSecond },
      max_bytes: { upload: uploadBytes, multipart: multipartBytes, transcribe: streamBytes },
      rate_limits: resolveAllLimits(limits, this.limits.factor),
      today: {
        since,
        jobs_created: figures.created,
        jobs_completed: figures.completed,
        jobs_failed: figures.failed,
        audio_seconds: figures.audioSeconds,
        credits_charged: figures.charged,
      },
    };
  }
}
