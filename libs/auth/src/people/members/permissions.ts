import type { Membership } from '@app/database';

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly MemberRole[];

export type MemberRole = Membership['role'];

/** What each role may do in its account. The roles of a row are all that have the permission. */
const ROLES_BY_PERMISSION = {
  'jobs.read': ['owner', 'admin', 'member', 'viewer'],
  'usage.read': ['owner', 'admin', 'member', 'viewer'],
  'webhooks.read': ['owner', 'admin', 'member', 'viewer'],
  'members.read': ['owner', 'admin', 'member', 'viewer'],
  'keys.read': ['owner', 'admin', 'member', 'viewer'],
  'vocabularies.read': ['owner', 'admin', 'member', 'viewer'],
  'vocabularies.write': ['owner', 'admin', 'member'],
  'jobs.write': ['owner', 'admin', 'member'],
  'keys.create': ['owner', 'admin', 'member'],
  'keys.revoke_own': ['owner', 'admin', 'member'],
  'signing_secret.reveal': ['owner', 'admin', 'member'],
  'webhooks.write': ['owner', 'admin', 'member'],
  'keys.revoke_any': ['owner', 'admin'],
  'signing_secret.rotate': ['owner', 'admin'],
  'limits.request': ['owner', 'admin'],
  'billing.write': ['owner', 'admin'],
  'retention.write': ['owner', 'admin'],
  'two_factors.write': ['owner', 'admin'],
  'members.write': ['owner', 'admin'],
  'audit.read': ['owner', 'admin'],
  'owners.write': ['owner'],
  'account.write': ['owner'],
} as const satisfies Record<string, readonly MemberRole[]>;

export type Permission = keyof typeof ROLES_BY_PERMISSION;

export const ALL_PERMISSIONS = Object.keys(ROLES_BY_PERMISSION) as readonly Permission[];

export function hasPermission(role: MemberRole, permission: Permission): boolean {
  const roles: readonly MemberRole[] = ROLES_BY_PERMISSION[permission];
  return roles.includes(role);
}

/** In the order of the table. */
export function listPermissionsOfRole(role: MemberRole): Permission[] {
  return ALL_PERMISSIONS.filter((permission) => hasPermission(role, permission));
}

export function isRole(value: string): value is MemberRole {
  return (ROLES as readonly string[]).includes(value);
}
