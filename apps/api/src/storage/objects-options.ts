/** Token of `ObjectsOptions`. */
export const OBJECTS_OPTIONS = Symbol('OBJECTS_OPTIONS');

export interface ObjectsOptions {
  /** Origins whose pages may PUT and GET; `*` for all. */
  corsOrigins: readonly string[];
  /** Milliseconds without a byte after which an upload is cut; default 30,000. */
  idleTimeoutMs?: number;
}
