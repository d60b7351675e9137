import { ServiceError } from '@app/errors';
import { hasPermission, type MemberRole, type Permission } from './permissions.js';

/**
 * For the role as it is in the transaction of a change: it may be another one than when the request was admitted.
 * @param role null of who is no member @throws ServiceError `permission_denied`
 */
export function assertRolePermits(
  role: MemberRole | null,
  permission: Permission,
): asserts role is MemberRole {
  if (role === null || !hasPermission(role, permission))
    throw new ServiceError('permission_denied', {
      detail: 'Your role in the account does not permit this any more.',
    });
}
