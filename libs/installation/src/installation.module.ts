import { type DynamicModule, Module } from '@nestjs/common';
import {
  STORE_IDENTITY_VERIFIER_OPTIONS_TOKEN,
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
      providers: [
        { provide: STORE_IDENTITY_VERIFIER_OPTIONS_TOKEN, useValue: options },
        StoreIdentityVerifier,
      ],
      exports: [StoreIdentityVerifier],
    };
  }
}
