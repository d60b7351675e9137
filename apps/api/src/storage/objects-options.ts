import type { MinTransferRate } from '../request-body/limit-body.js';

/** Token of `ObjectsOptions`. */
export const OBJECTS_OPTIONS = Symbol('OBJECTS_OPTIONS');

export interface ObjectsOptions {
  /** Origins whose pages may PUT and GET; `*` for all. */
  corsOrigins: readonly string[];
  /** Of the senders of uploads. */
  minTransferRate: MinTransferRate;
}
