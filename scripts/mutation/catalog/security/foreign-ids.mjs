const WALK = 'test/e2e/console-permissions.test.ts';
const IN_PATH = '$method $path ($access)';
const IN_BODY_OR_QUERY = '$method $path with $names of another account is refused or finds nothing';

/** Ids of another account in requests to the console. @type {import('../../mutation.mjs').Mutation[]} */
export const FOREIGN_IDS = [
  {
    protects: 'keys of other accounts get no request for a limit',
    change: 'the account of the key is not checked',
    file: 'libs/auth/src/rate-limits/rate-limit-increase-requests.ts',
    from: '{ id: keyId, accountId, revokedAt: IsNull() }',
    to: '{ id: keyId, revokedAt: IsNull() }',
    test: WALK,
    name: IN_BODY_OR_QUERY,
  },
  {
    protects: 'a session shows accounts of its user only',
    change: 'it is switched to any account',
    file: 'libs/auth/src/people/sessions/session.repository.ts',
    from: 'membership.user_id = user_session.user_id AND membership.account_id = $2)',
    to: 'membership.user_id = user_session.user_id)',
    test: WALK,
    name: IN_BODY_OR_QUERY,
  },
  {
    protects: 'audit events of other accounts are not listed',
    change: 'the query does not filter by account',
    file: 'libs/auth/src/audit/audit-log.repository.ts',
    from: "query.andWhere('event.accountId = :accountId', { accountId })",
    to: "query.andWhere('event.accountId IS NOT NULL')",
    test: WALK,
    name: IN_BODY_OR_QUERY,
  },
  {
    protects: 'passkeys of other users are not renamed',
    change: 'the user of the passkey is not checked',
    file: 'libs/auth/src/people/factors/passkeys.ts',
    from: '{ id, userId }, { name: shownName }',
    to: '{ id }, { name: shownName }',
    test: WALK,
    name: IN_PATH,
  },
  {
    protects: 'a new parameter is requested with an id of another account',
    change: 'a route takes one more',
    file: 'apps/api/src/console/billing/payments.controller.ts',
    from: "parseAllowedQueryParameters(query, ['before'])",
    to: "parseAllowedQueryParameters(query, ['before', 'payment'])",
    test: 'test/integration/console-routes.test.ts',
    name: 'take no id, parameter or header that the permission test does not send with the row of another account',
  },
];
