import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKey } from '@app/database';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AUTH_OPTIONS, type AuthOptions, ApiKeys } from './keys/api-keys.js';

@Module({})
export class AuthModule {
  static forRoot(options: AuthOptions): DynamicModule {
    return {
      module: AuthModule,
      global: true,
      imports: [TypeOrmModule.forFeature([ApiKey])],
      providers: [{ provide: AUTH_OPTIONS, useValue: options }, ApiKeys],
      exports: [ApiKeys],
    };
  }
}
