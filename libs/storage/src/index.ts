export { attachmentHeader } from './content-disposition.js';
export { createObjectStore, type StorageOptions } from './create-object-store.js';
export { isDiskFullError } from './files/fs-errors.js';
export { readDiskSpaceAndReserve } from './free-disk-space.js';
export { fsyncDirectory } from './files/durable-writes.js';
export { FileObjectStore } from './files/file-object-store.js';
export type { FileStoreOptions } from './files/file-store-options.js';
export { type SignedUrlGrant, OBJECTS_URL_PATH } from './files/object-url-signer.js';
export type {
  KeysAndPrefixesToDelete,
  ByteRange,
  FetchToFileOptions,
  ObjectInfo,
  ObjectStore,
  OpenMultipartUpload,
  PresignGetOptions,
  PresignPartOptions,
  UploadedPart,
} from './object-store.js';
export { readDeletedVersionRetention } from './s3/s3-bucket-versioning.js';
export { readS3CredentialsExpiry } from './s3/s3-credentials-expiry.js';
export { describeS3Location, S3_PART_BYTES, type S3StoreOptions } from './s3/s3-store-options.js';
export { OBJECT_STORE_TOKEN, StorageModule } from './storage.module.js';
export { STORE_CALLS_WITH_REPORTED_FAILURES } from './wrap-store-to-report-failures.js';
export {
  InvalidSignedUrlError,
  InvalidObjectKeyError,
  ObjectChangedError,
  ObjectNotFoundError,
  InvalidPartsError,
  RangeNotSatisfiableError,
  StoreUnavailableError,
} from './store-errors.js';
export { buildTranscriptFilename, signCompletedTranscriptUrl } from './sign-completed-transcript-url.js';
export { TranscriptUrlSigner } from './transcript-url-signer.js';
