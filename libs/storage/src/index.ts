export { attachmentHeader } from './content-disposition.js';
export { createObjectStore, type StorageOptions } from './create-object-store.js';
export { syncDirectory } from './files/durable.js';
export { FileObjectStore } from './files/file-object-store.js';
export type { FileStoreOptions } from './files/file-store-options.js';
export { type Grant, OBJECTS_PATH, type SigningKey } from './files/signing.js';
export type {
  ByteRange,
  FetchOptions,
  ListedObject,
  ObjectInfo,
  ObjectStore,
  OpenUpload,
  PresignGet,
  PresignPart,
  PresignPut,
  UnreferencedSweep,
  UnreferencedSweepOptions,
  UploadedPart,
} from './object-store.js';
export { S3ObjectStore } from './s3/s3-object-store.js';
export type { S3StoreOptions } from './s3/s3-store-options.js';
export { PART_BYTES } from './s3/s3-upload.js';
export { OBJECT_STORE, StorageModule } from './storage.module.js';
export {
  AddressRefused,
  KeyRefused,
  ObjectChanged,
  ObjectMissing,
  PartsRejected,
  RangeUnsatisfiable,
  StoreUnavailable,
} from './store-errors.js';
