export { setSuspended } from './accounts/suspend-account.js';
export { AuthModule } from './auth.module.js';
export type { AuthOptions } from './auth-options.js';
export { ApiKeyGuard } from './guard/api-key.guard.js';
export {
  BEARER,
  BearerKey,
  type Caller,
  CurrentCaller,
  PUBLIC,
  Public,
  type RequestWithCaller,
} from './guard/caller.js';
export { ApiKeys, type NewApiKey } from './keys/api-keys.js';
export { overrideLimit } from './limits/limit-overrides.js';
export { LIMITED, Limited } from './limits/limited.js';
export { LIMITS_OPTIONS, type LimitsOptions } from './limits/limits-options.js';
export { RateLimitGuard } from './limits/rate-limit.guard.js';
export { RateLimitsModule } from './limits/rate-limits.module.js';
export {
  currentRateLimits,
  isLimitName,
  type LimitName,
  type LimitOverrides,
  MAX_PER_MINUTE,
  ROUTE_LIMITS,
} from './limits/route-limits.js';
