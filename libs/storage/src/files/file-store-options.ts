import type { StoreUnavailableError } from '../store-errors.js';
import type { UrlSignerOptions } from './object-url-signer.js';

export interface FileStoreOptions extends UrlSignerOptions {
  /** Directory on one file system; created if missing, readable by its owner only. */
  root: string;
  /** Maximum bytes of one signed PUT; default 5 GiB, the limit of S3. */
  maxPutBytes?: number;
  /**
   * Called for each object, or open upload (`uploads/<id>`), that a listing skips because its record cannot
   * be read.
   */
  onUnreadable?: (key: string, error: StoreUnavailableError) => void;
}
