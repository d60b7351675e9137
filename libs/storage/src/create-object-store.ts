import { FileObjectStore } from './files/file-object-store.js';
import type { FileStoreOptions } from './files/file-store-options.js';
import type { ObjectStore } from './object-store.js';
import type { S3StoreOptions } from './s3/s3-store-options.js';

export type StorageOptions = ({ kind: 'files' } & FileStoreOptions) | ({ kind: 's3' } & S3StoreOptions);

/**
 * @throws StoreUnavailableError if the directory of a file store cannot be created. S3 sends no request yet.
 */
export async function createObjectStore(options: StorageOptions): Promise<ObjectStore> {
  switch (options.kind) {
    case 'files':
      return FileObjectStore.open(options);
    case 's3': {
      // A start with a file store would load the packages of S3 for nothing.
      const { S3ObjectStore } = await import('./s3/s3-object-store.js');
      return new S3ObjectStore(options);
    }
  }
}
