import type { StoreUnavailableError } from '../store-errors.js';
import type { UrlSignerOptions } from './url-signer.js';

export interface FileStoreOptions extends UrlSignerOptions {
  /** Directory of the store, on one file system; made when it is missing, readable by its owner only. */
  root: string;
  /** Bytes that one PUT address takes at most; default 5 GiB, the ceiling of S3. */
  maxPutBytes?: number;
  /** Told of each object, or open upload (`uploads/<id>`), that a listing leaves out because its record cannot be read. */
  onUnreadable?: (key: string, error: StoreUnavailableError) => void;
}
