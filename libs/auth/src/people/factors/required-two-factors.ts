import { ServiceError } from '@app/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { type AuditActor, recordAuditEvent } from '../../audit/audit-log.repository.js';
import {
  readTwoFactorRequirementStatus,
  lockUserRow,
  setAccountRequiresTwoFactors,
} from './required-two-factors.repository.js';
import type { SessionWithUserAndRole } from '../sessions/session.repository.js';

type UserWithRequirement = Pick<SessionWithUserAndRole, 'userId' | 'twoFactorsRequiredBy'>;

/**
 * For changes of factors. Somebody who knows only the password of a user that has another factor must not add a factor.
 * Users without any set up their first one.
 * @throws ServiceError `two_factors_required` if the service or an account of the user requires two factors
 */
export async function assertMayChangeFactors(
  db: DataSource,
  session: UserWithRequirement & Pick<SessionWithUserAndRole, 'hasTwoFactors'>,
): Promise<void> {
  if (session.hasTwoFactors) return;
  const { canProveTwoFactors, requiredBy } = await readRequirement(db, session);
  if (canProveTwoFactors && requiredBy !== null)
    throw new ServiceError('two_factors_required', {
      detail: `${requiredBy} requires two factors: confirm the second factor that you have first.`,
    });
}

/** After the removal of a factor, in its transaction. @throws ServiceError `conflict` if it was the last of a user who needs one */
export async function assertRequiredFactorsRemain(
  tx: EntityManager,
  session: UserWithRequirement,
): Promise<void> {
  await lockUserRow(tx, session.userId);
  const { canProveTwoFactors, requiredBy } = await readRequirement(tx, session);
  if (!canProveTwoFactors && requiredBy !== null)
    throw new ServiceError('conflict', {
      detail: `${requiredBy} requires two factors, and this is your only second one: add another one first.`,
    });
}

async function readRequirement(
  db: DataSource | EntityManager,
  { userId, twoFactorsRequiredBy }: UserWithRequirement,
): Promise<{ canProveTwoFactors: boolean; requiredBy: string | null }> {
  const { canProveTwoFactors, requiringAccount } = await readTwoFactorRequirementStatus(db, userId);
  return {
    canProveTwoFactors,
    requiredBy: twoFactorsRequiredBy === 'service' ? 'This service' : requiringAccount,
  };
}

/**
 * @param session of the user who changes it; null for an operator
 * @returns false if the account is in that state already
 * @throws ServiceError `two_factors_required` for a user who would lose access by the change
 */
export async function changeTwoFactorRequirement(
  tx: EntityManager,
  { accountId, required }: { accountId: string; required: boolean },
  actor: AuditActor,
  session: Pick<SessionWithUserAndRole, 'hasTwoFactors'> | null,
): Promise<boolean> {
  if (required && session?.hasTwoFactors === false)
    throw new ServiceError('two_factors_required', {
      detail: 'You would lose access yourself: set up a second factor, or sign in with it, first.',
    });
  if (!(await setAccountRequiresTwoFactors(tx, accountId, required))) return false;
  const action = 'account.two_factors_changed';
  await recordAuditEvent(tx, actor, { accountId, action, target: accountId, details: { required } });
  return true;
}
