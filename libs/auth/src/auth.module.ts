import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKey } from '@app/database';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AUTH_OPTIONS, type AuthOptions, ApiKeys } from './keys/api-keys.js';
import { ConsoleKeys } from './keys/console-keys.js';
import { KeyUsageRecorder } from './keys/key-usage-recorder.js';
import { LimitRequests } from './rate-limits/limit-requests.js';

@Module({})
export class AuthModule {
  static forRoot(options: AuthOptions): DynamicModule {
    return {
      module: AuthModule,
      global: true,
      imports: [TypeOrmModule.forFeature([ApiKey])],
      providers: [
        { provide: AUTH_OPTIONS, useValue: options },
        ApiKeys,
        ConsoleKeys,
        KeyUsageRecorder,
        LimitRequests,
      ],
      exports: [ApiKeys, ConsoleKeys, KeyUsageRecorder, LimitRequests],
    };
  }
}
