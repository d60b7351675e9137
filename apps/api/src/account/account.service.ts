import { type Caller, currentRateLimits, LIMITS_OPTIONS, type LimitsOptions } from '@app/auth';
import { accountFigures } from '@app/billing';
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
    @Inject(LIMITS_OPTIONS) private readonly limits: LimitsOptions,
  ) {}

  /** @throws ServiceError `invalid_api_key` when the account went after the key was checked */
  async describe({ accountId, keyId, limits }: Caller): Promise<AccountResponse> {
    const figures = await accountFigures(this.dataSource, accountId, keyId);
    if (!figures) throw new ServiceError('invalid_api_key');
    const { name, keyName, balance, held, since } = figures;
    const { creditsPerSecond, uploadBytes, multipartBytes, streamBytes } = this.options;
    return {
      account_id: accountId,
      name,
      api_key: { id: keyId, name: keyName },
      credits: { balance, held, per_second: creditsPerSecond },
      max_bytes: { upload: uploadBytes, multipart: multipartBytes, transcribe: streamBytes },
      rate_limits: currentRateLimits(limits, this.limits.factor),
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
