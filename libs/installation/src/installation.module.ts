import { type DynamicModule, Module } from '@nestjs/common';
import {
  STORE_OWNERSHIP_SERVICE_OPTIONS_TOKEN,
  StoreOwnershipService,
  type StoreOwnershipServiceOptions,
} from './store-ownership.service.js';

/** Requires the modules of the database and the object store. */
@Module({})
export class InstallationModule {
  static forRoot(options: StoreOwnershipServiceOptions): DynamicModule {
    return {
      module: InstallationModule,
      global: true,
      providers: [
        { provide: STORE_OWNERSHIP_SERVICE_OPTIONS_TOKEN, useValue: options },
        StoreOwnershipService,
      ],
      exports: [StoreOwnershipService],
    };
  }
}
