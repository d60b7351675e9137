import { type DynamicModule, Module } from '@nestjs/common';
import {
  STORE_IDENTITY_VERIFIER_OPTIONS,
  StoreIdentityVerifier,
  type StoreIdentityVerifierOptions,
} from './store-identity-verifier.js';

/** Requires the modules of the database and the object store. */
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
