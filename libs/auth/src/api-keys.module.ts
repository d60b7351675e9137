import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKey } from '@app/database';
import { TypeOrmModule } from '@nestjs/typeorm';
import { API_KEY_HASHING_OPTIONS_TOKEN, type ApiKeyHashingOptions, ApiKeys } from './keys/api-keys.js';
import { ConsoleApiKeys } from './keys/console-api-keys.js';
import { KeyLastUsedRecorder } from './keys/key-last-used-recorder.js';
import { RateLimitIncreaseRequests } from './rate-limits/rate-limit-increase-requests.js';

@Module({})
export class ApiKeysModule {
  static forRoot(options: ApiKeyHashingOptions): DynamicModule {
    return {
      module: ApiKeysModule,
      global: true,
      imports: [TypeOrmModule.forFeature([ApiKey])],
      providers: [
        { provide: API_KEY_HASHING_OPTIONS_TOKEN, useValue: options },
        ApiKeys,
        ConsoleApiKeys,
        KeyLastUsedRecorder,
        RateLimitIncreaseRequests,
      ],
      exports: [ApiKeys, ConsoleApiKeys, KeyLastUsedRecorder, RateLimitIncreaseRequests],
    };
  }
}
