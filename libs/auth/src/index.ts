export { setAccountSuspended, setRateLimitOverride } from './keys/api-key.repository.js';
export { AuthModule } from './auth.module.js';
export { type AuthOptions, ApiKeys, type NewApiKey } from './keys/api-keys.js';
export { ConsoleKeys } from './keys/console-keys.js';
export type { ListedKey } from './keys/api-key.repository.js';
export { type ListedLimitRequest, LimitRequests } from './rate-limits/limit-requests.js';
export { ApiKeyGuard } from './guard/api-key.guard.js';
export { readClientAddress } from './guard/client-address.js';
export {
  BEARER_TOKEN_METADATA,
  AllowBearerToken,
  type Caller,
  CurrentCaller,
  getLimitOwner,
  type ApiKeyCaller,
  PUBLIC_ROUTE_METADATA,
  Public,
  type RequestWithCaller,
  toActor,
  type UserCaller,
} from './guard/caller.js';
export { RATE_LIMIT_METADATA, RateLimited, RateLimitGuard } from './rate-limits/rate-limit.guard.js';
export { RATE_LIMITS_OPTIONS, type RateLimitsOptions } from './rate-limits/rate-limits-options.js';
export { RateLimitsModule } from './rate-limits/rate-limits.module.js';
export {
  resolveAllRateLimits,
  type ConsoleLimitName,
  getDefaultRateLimit,
  isRateLimitName,
  type RateLimitName,
  type RateLimitOverrides,
  MAX_REQUESTS_PER_MINUTE,
  ROUTE_LIMITS_PER_MINUTE,
} from './rate-limits/route-limits.js';
export {
  ACTOR_KINDS,
  type Actor,
  type AuditEntry,
  type AuditFilter,
  listAuditEvents,
  recordAuditEvent,
} from './audit/audit-log.repository.js';
export { BreachedPasswords, checkBreachedPasswordsFile } from './people/breached-passwords.js';
export { endAccount } from './people/end-account.js';
export { Invitations } from './people/invitations.js';
export { Memberships } from './people/memberships.js';
export type { AccountOfUser, Member } from './people/membership.repository.js';
export type { OidcOptions } from './people/oidc-provider.js';
export { OIDC_STATE_SECONDS, type OidcRejection, OidcSignIn } from './people/oidc-sign-in.js';
export { Passkeys, type RelyingParty } from './people/passkeys.js';
export { PeopleModule } from './people/people.module.js';
export type { PeopleOptions } from './people/people-services.js';
export {
  hasPermission,
  isRole,
  listPermissions,
  type Permission,
  PERMISSIONS,
  type Role,
  ROLES,
} from './people/permissions.js';
export { assertMayChangeFactors, requireTwoFactors } from './people/required-two-factors.js';
export { purgeExpiredSignIns } from './people/purge-expired-sign-ins.repository.js';
export { SecondFactor } from './people/second-factor.js';
export type { SessionAccess, SessionRow } from './people/session.repository.js';
export { type ClientInfo, type SessionOptions, Sessions } from './people/sessions.js';
export { createSignInLink, isOpenSignInLink, SignIn, type SignInResult } from './people/sign-in.js';
export { UserConfirmation } from './people/user-confirmation.js';
export { Users } from './people/users.js';
