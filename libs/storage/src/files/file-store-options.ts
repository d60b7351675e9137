import type { SignerOptions } from './signing.js';

export interface FileStoreOptions extends SignerOptions {
  /** Directory of the store, on one file system; made when it is missing, readable by its owner only. */
  root: string;
  /** Bytes that one PUT address takes at most; default 5 GiB, the ceiling of S3. */
  maxPutBytes?: number;
}
