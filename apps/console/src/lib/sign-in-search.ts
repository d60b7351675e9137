import { parseSafeReturnPath } from './return-path.ts';

const REASONS = ['ended', 'password_set'] as const;
const FAILURES = [
  'oidc_failed',
  'address_not_allowed',
  'another_identity',
  'not_invited',
  'several_invitations',
  'user_disabled',
] as const;

export interface SignInSearchParams {
  return?: string | undefined;
  reason?: (typeof REASONS)[number] | undefined;
  /** Why the provider's answer signed nobody in. */
  error?: (typeof FAILURES)[number] | undefined;
}

/** Sets every key: a key that is left out keeps the value of the URL. */
export function parseSignInSearchParams(search: Record<string, unknown>): SignInSearchParams {
  return {
    return: parseSafeReturnPath(search['return']) ?? undefined,
    reason: REASONS.find((reason) => reason === search['reason']),
    error: FAILURES.find((failure) => failure === search['error']),
  };
}
