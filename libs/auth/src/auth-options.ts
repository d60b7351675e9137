export const AUTH_OPTIONS = Symbol('AUTH_OPTIONS');

export interface AuthOptions {
  /** Keyed hash of API keys; 32 bytes. */
  hashingKey: Buffer;
}
