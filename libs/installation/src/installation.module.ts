import { type DynamicModule, Module } from '@nestjs/common';
import { STORE_AGREEMENT_OPTIONS, StoreAgreement, type StoreAgreementOptions } from './store-agreement.js';

/** Whether the database and the object store of the process belong together. Needs both of their modules. */
@Module({})
export class InstallationModule {
  static forRoot(options: StoreAgreementOptions): DynamicModule {
    return {
      module: InstallationModule,
      global: true,
      providers: [{ provide: STORE_AGREEMENT_OPTIONS, useValue: options }, StoreAgreement],
      exports: [StoreAgreement],
    };
  }
}
