const TESTS = 'test/e2e/console-oidc.test.ts';
const UNPROVED_TESTS = 'test/e2e/console-unproved-address.test.ts';
const SIGN_IN = 'libs/auth/src/people/sign-in/oidc-sign-in.ts';
const USERS = 'libs/auth/src/people/users/users.ts';
const RESET = 'ends what somebody else set up who accepted the invitation of an address with a copied link';

/** People whom an OpenID Connect provider knows. @type {import('../../mutation.mjs').Mutation[]} */
export const IDENTITIES = [
  {
    protects: 'users whose address another person has got',
    change: 'the address signs in',
    file: SIGN_IN,
    from: '!linked && known && (await',
    to: 'linked && known && (await',
    test: TESTS,
    name: 'does not sign another person in who has got the address of a known one',
  },
  {
    protects: 'users whose address is proved later',
    change: 'what somebody else set up stays',
    file: SIGN_IN,
    from: '    await this.users.proveAddress(tx, actor, identity.userId);\n',
    to: '',
    test: TESTS,
    name: RESET,
  },
  {
    protects: 'users whose address is proved later',
    change: 'sessions of somebody else go on',
    file: USERS,
    from: '    const before = await this.sessions.endAll(tx, userId);\n    const result = await removeFactors();\n    return [result, before + (await this.sessions.endAll(tx, userId))];',
    to: '    return [await removeFactors(), 0];',
    test: TESTS,
    name: RESET,
  },
  {
    protects: 'users whose factors are removed',
    change: 'a session that a sign-in starts at the same moment goes on',
    file: USERS,
    from: 'return [result, before + (await this.sessions.endAll(tx, userId))];',
    to: 'return [result, before];',
    test: 'test/integration/sign-in-during-removal.test.ts',
    name: 'ends when %s',
  },
  {
    protects: 'an account against a user of whom nobody knows who it is',
    change: 'the address need not be proved',
    file: 'libs/auth/src/people/members/memberships.ts',
    from: 'if (!isAddressProved) throw',
    to: "if (!isAddressProved && email === '') throw",
    test: UNPROVED_TESTS,
    name: 'gets a role of another account by no command until the person has opened a link',
  },
  {
    protects: 'users whose address is proved by a link',
    change: 'what somebody else set up stays',
    file: 'libs/auth/src/people/sign-in/link-sign-in.ts',
    from: '      await this.users.proveAddress(tx, actor, userId);\n',
    to: '',
    test: UNPROVED_TESTS,
    name: 'keeps no %s of whoever made it when the person sets a password by a link',
  },
  {
    protects: 'the last owner who may sign in cannot leave',
    change: 'an owner who is disabled counts as another owner',
    file: 'libs/auth/src/people/members/membership.repository.ts',
    from: "WHERE membership.account_id = $1 AND role = 'owner' AND disabled_at IS NULL`",
    to: "WHERE membership.account_id = $1 AND role = 'owner'`",
    test: 'test/integration/last-owner.test.ts',
    name: 'can neither leave nor change role while the other owner is disabled',
  },
];
