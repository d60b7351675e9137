import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  RATE_LIMITS_OPTIONS_TOKEN,
  type RateLimitsOptions,
  RATE_LIMITER_TOKEN,
} from './rate-limits-options.js';
import { PostgresRateLimiter } from './postgres-rate-limiter.js';
import type { RateLimiter } from './rate-limiter.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

@Module({})
export class RateLimitsModule implements OnApplicationShutdown {
  constructor(@Inject(RATE_LIMITER_TOKEN) private readonly limiter: RateLimiter) {}

  static forRoot(options: RateLimitsOptions): DynamicModule {
    const { store } = options;
    const limiter = (dataSource: DataSource): RateLimiter =>
      store.kind === 'redis' ? new RedisRateLimiter(store) : new PostgresRateLimiter(dataSource);
    return {
      module: RateLimitsModule,
      global: true,
      providers: [
        { provide: RATE_LIMITS_OPTIONS_TOKEN, useValue: options },
        { provide: RATE_LIMITER_TOKEN, useFactory: limiter, inject: [DataSource] },
      ],
      exports: [RATE_LIMITS_OPTIONS_TOKEN, RATE_LIMITER_TOKEN],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.limiter.close();
  }
}
