import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { createObjectStore, type StorageOptions } from './create-object-store.js';
import type { ObjectStore } from './object-store.js';
import { reportStoreFailures } from './report-store-failures.js';

export const OBJECT_STORE = Symbol('OBJECT_STORE');

/** Opens the object store at startup and closes it last. */
@Global()
@Module({})
export class StorageModule implements OnApplicationShutdown {
  constructor(@Inject(OBJECT_STORE) private readonly store: ObjectStore) {}

  /** @param onFailure called with the name of each call that fails because of the store */
  static forRoot(
    options: StorageOptions,
    onFailure: (operation: string) => void = () => undefined,
  ): DynamicModule {
    const open = async () => reportStoreFailures(await createObjectStore(options), onFailure);
    return {
      module: StorageModule,
      providers: [{ provide: OBJECT_STORE, useFactory: open }],
      exports: [OBJECT_STORE],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}
