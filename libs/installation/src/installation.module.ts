import { type DynamicModule, Module } from '@nestjs/common';
import {
  STORE_CLAIM_AND_IDENTITY_VERIFIER_OPTIONS_TOKEN,
  StoreClaimAndIdentityVerifier,
  type StoreClaimAndIdentityVerifierOptions,
} from './store-claim-and-identity-verifier.js';

/** Requires the modules of the database and the object store. */
@Module({})
export class InstallationModule {
  static forRoot(options: StoreClaimAndIdentityVerifierOptions): DynamicModule {
    return {
      module: InstallationModule,
      global: true,
      providers: [
        { provide: STORE_CLAIM_AND_IDENTITY_VERIFIER_OPTIONS_TOKEN, useValue: options },
        StoreClaimAndIdentityVerifier,
      ],
      exports: [StoreClaimAndIdentityVerifier],
    };
  }
}
