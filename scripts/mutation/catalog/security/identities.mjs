const TESTS = 'test/e2e/console-oidc.test.ts';
const SIGN_IN = 'libs/auth/src/people/oidc-sign-in.ts';
const USERS = 'libs/auth/src/people/users.ts';
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
    from: '    await tx.delete(Passkey, { userId });\n    await deletePendingSignIns(tx, userId);\n    const details = { sessions_ended: await this.sessions.endAll(tx, userId) };',
    to: '    await tx.delete(Passkey, { userId });\n    await deletePendingSignIns(tx, userId);\n    const details = { sessions_ended: 0 };',
    test: TESTS,
    name: RESET,
  },
];
