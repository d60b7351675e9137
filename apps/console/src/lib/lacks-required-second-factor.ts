import type { Session } from '../api/types.ts';

/** Whether the account requires two factors and the session has one. */
export function lacksRequiredSecondFactor({
  account,
  two_factors: hasTwoFactors,
}: Pick<Session, 'account' | 'two_factors'>): boolean {
  return account !== null && account.requires_two_factors && !hasTwoFactors;
}
