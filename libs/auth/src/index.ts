export { AuthModule } from './auth.module.js';
export type { AuthOptions } from './auth-options.js';
export { ApiKeyGuard } from './guard/api-key.guard.js';
export { type Caller, CurrentCaller, Public, type RequestWithCaller } from './guard/caller.js';
export { ApiKeys, type NewApiKey } from './keys/api-keys.js';
