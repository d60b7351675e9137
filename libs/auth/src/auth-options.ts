export const AUTH_OPTIONS = Symbol('AUTH_OPTIONS');

export interface AuthOptions {
  /** Key of the hash under which API keys are stored; 32 bytes. */
  hashingKey: Buffer;
}
