export { setAccountSuspended, setRateLimitOverride } from './keys/api-key.repository.js';
export { ApiKeysModule } from './api-keys.module.js';
export { ApiKeys, type CreatedApiKey } from './keys/api-keys.js';
export { ConsoleApiKeys } from './keys/console-api-keys.js';
export type { ApiKeyWithCreatorAndOpenJobCount } from './keys/api-key.repository.js';
export {
  type RateLimitIncreaseRequestWithRequester,
  RateLimitIncreaseRequests,
} from './rate-limits/rate-limit-increase-requests.js';
export { ApiKeyGuard } from './guard/api-key.guard.js';
export { MAX_ACCOUNT_NAME_LENGTH, MAX_API_KEY_NAME_LENGTH, MAX_USER_NAME_LENGTH } from './name-limits.js';
export { readClientAddress } from './guard/client-address.js';
export {
  ALLOW_API_KEY_AS_BEARER_METADATA_KEY,
  AllowApiKeyAsBearerToken,
  type Caller,
  CurrentCaller,
  type ApiKeyCaller,
  SKIP_API_KEY_GUARD_METADATA_KEY,
  SkipApiKeyGuard,
  type RequestWithCaller,
  toAuditActor,
  type UserCaller,
} from './guard/caller.js';
export { RATE_LIMIT_METADATA_KEY, RateLimited, RateLimitGuard } from './rate-limits/rate-limit.guard.js';
export { RATE_LIMITS_OPTIONS_TOKEN, type RateLimitsOptions } from './rate-limits/rate-limits-options.js';
export { RateLimitsModule } from './rate-limits/rate-limits.module.js';
export {
  resolveApiRateLimits,
  type ConsoleRateLimitName,
  getDefaultRateLimit,
  isApiRateLimitName,
  listRateLimitNames,
  type ApiRateLimitName,
  MAX_RATE_LIMIT_OVERRIDE_PER_MINUTE,
  API_LIMITS_PER_MINUTE,
} from './rate-limits/route-limits.js';
export {
  ACTOR_KINDS,
  type AuditActor,
  type AuditedAction,
  type AuditFilter,
  listAuditEvents,
  recordAuditEvent,
  createChangeRecorder,
} from './audit/audit-log.repository.js';
export { recordUserAuditEvents } from './audit/record-user-audit-events.js';
export {
  BreachedPasswords,
  assertValidBreachedPasswordsFile,
} from './people/passwords/breached-passwords.js';
export {
  COMMAND_LINE_POLL_INTERVAL_SECONDS,
  COMMAND_LINE_SIGN_IN_LIFETIME_SECONDS,
  CommandLineSignIns,
} from './people/sign-in/command-line-sign-ins.js';
export { endAccount } from './people/end-account.js';
export { Invitations } from './people/members/invitations.js';
export { LinkSignIn } from './people/sign-in/link-sign-in.js';
export { Memberships, UnprovedAddressError } from './people/members/memberships.js';
export type { AccountOfUser, Member } from './people/members/membership.repository.js';
export type { OidcOptions } from './people/sign-in/oidc-provider-client.js';
export {
  OIDC_STATE_LIFETIME_SECONDS,
  type OidcRejectionReason,
  OidcSignIn,
} from './people/sign-in/oidc-sign-in.js';
export { Passkeys, type RelyingParty } from './people/factors/passkeys.js';
export { PeopleModule } from './people/people.module.js';
export {
  hasPermission,
  isRole,
  listPermissionsOfRole,
  type Permission,
  ALL_PERMISSIONS,
  type MemberRole,
  ROLES,
} from './people/members/permissions.js';
export { countOpenOneTimeLinks } from './people/sign-in/one-time-link.repository.js';
export {
  consumeOneTimeLinkToken,
  issueOneTimeLinkToken,
  isOpenOneTimeLinkToken,
} from './people/sign-in/one-time-links.js';
export { lockUserRow } from './people/factors/required-two-factors.repository.js';
export { assertMayChangeFactors, changeTwoFactorRequirement } from './people/factors/required-two-factors.js';
export { purgeExpiredAuthRecords } from './people/purge-expired-auth-records.repository.js';
export { TotpAndRecoveryCodes } from './people/factors/totp-and-recovery-codes.js';
export type { SessionAccountAndRole, SessionWithUserAndRole } from './people/sessions/session.repository.js';
export { type ClientInfo, Sessions } from './people/sessions/sessions.js';
export { toClientNetwork } from './people/sign-in/sign-in-rate-limiter.js';
export { SignInService, type SignInResult } from './people/sign-in/sign-in.service.js';
export { UserReauthentication } from './people/sign-in/user-reauthentication.js';
export { Users } from './people/users/users.js';
