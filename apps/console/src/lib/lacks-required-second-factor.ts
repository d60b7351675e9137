import type { Session } from '../api/types.ts';

/** Whether the service or the account requires two factors and the session has one. */
export function lacksRequiredSecondFactor({
  account,
  two_factors: hasTwoFactors,
}: Pick<Session, 'account' | 'two_factors'>): boolean {
  return account !== null && account.two_factors_required_by !== null && !hasTwoFactors;
}
