import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { createObjectStore, type StorageOptions } from './create-object-store.js';
import type { ObjectStore } from './object-store.js';
import { wrapStoreToReportFailures } from './wrap-store-to-report-failures.js';

export const OBJECT_STORE_TOKEN = Symbol('OBJECT_STORE_TOKEN');

/** Opens the object store at startup and closes it last. */
@Global()
@Module({})
export class StorageModule implements OnApplicationShutdown {
  constructor(@Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore) {}

  /** @param onFailure called with the name of each call that fails because of the store */
  static forRoot(
    options: StorageOptions,
    onFailure: (operation: string) => void = () => undefined,
  ): DynamicModule {
    const open = async () => wrapStoreToReportFailures(await createObjectStore(options), onFailure);
    return {
      module: StorageModule,
      providers: [{ provide: OBJECT_STORE_TOKEN, useFactory: open }],
      exports: [OBJECT_STORE_TOKEN],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}
