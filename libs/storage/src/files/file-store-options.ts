import type { SignerOptions } from './signing.js';

export interface FileStoreOptions extends SignerOptions {
  /** Directory of the store, on one file system; made when it is missing, readable by its owner only. */
  root: string;
  /** Bytes that one PUT address takes at most. */
  maxPutBytes: number;
}
