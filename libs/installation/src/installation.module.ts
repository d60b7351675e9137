import { type DynamicModule, Module } from '@nestjs/common';
import {
  STORE_IDENTITY_VERIFIER_OPTIONS,
  StoreIdentityVerifier,
  type StoreIdentityVerifierOptions,
} from './store-identity-verifier.js';

/** Whether the database and the object store of the process belong together. Needs both of their modules. */
@Module({})
export class InstallationModule {
  static forRoot(options: StoreIdentityVerifierOptions): DynamicModule {
    return {
      module: InstallationModule,
      global: true,
      providers: [{ provide: STORE_IDENTITY_VERIFIER_OPTIONS, useValue: options }, StoreIdentityVerifier],
      exports: [StoreIdentityVerifier],
    };
  }
}
