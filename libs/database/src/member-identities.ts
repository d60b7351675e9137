import type { DataSource } from 'typeorm';
import { buildAccountScopedQuery, queryAccountRows } from './account-scoped-query.js';

/** A user as the members of an account see it. */
export interface MemberIdentity {
  id: string;
  name: string;
  email: string;
}

/** Name of a user who is no member of the account any more, and whose mail address is not shown. */
export const FORMER_MEMBER_NAME = 'Former member';

const LIST_MEMBERS = buildAccountScopedQuery('members', 'SELECT id, name, email FROM app_user');

/** For rows that name users. @returns the reference of a user id; null for null */
export async function loadAccountMemberLookup(
  dataSource: DataSource,
  accountId: string,
): Promise<(userId: string | null) => MemberIdentity | null> {
  const members = await queryAccountRows<MemberIdentity & object>(dataSource, accountId, LIST_MEMBERS);
  const byId = new Map(members.map((member) => [member.id, member]));
  return (id) => (id === null ? null : (byId.get(id) ?? { id, name: FORMER_MEMBER_NAME, email: '' }));
}

/**
 * The reference of a user in an account-scoped query, in which `app_user` has the members only.
 * @param idColumn id of the user @param user alias of `app_user`, joined from the left by this id
 */
export function buildMemberAsJsonSql(idColumn: string, user: string): string {
  return `CASE WHEN ${idColumn} IS NOT NULL THEN json_build_object('id', ${idColumn},
    'name', COALESCE(${user}.name, '${FORMER_MEMBER_NAME}'), 'email', COALESCE(${user}.email, '')) END`;
}
