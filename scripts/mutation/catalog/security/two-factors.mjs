const TESTS = 'test/e2e/console-two-factors.test.ts';
const GUARD = 'apps/api/src/console/console.guard.ts';
const REQUIRED = 'libs/auth/src/people/required-two-factors.ts';

/** Accounts that require two factors of their users. @type {import('../../mutation.mjs').Mutation[]} */
export const TWO_FACTORS = [
  {
    protects: 'an account that requires two factors',
    change: 'a session with one reaches it',
    file: GUARD,
    from: 'return requiresTwoFactors && !hasTwoFactors;',
    to: 'return requiresTwoFactors && !hasTwoFactors && false;',
    test: 'apps/api/src/console/console.guard.test.ts',
    name: 'rejects a session with one factor where the account requires two, except for routes of the user',
  },
  {
    protects: 'an account that requires two factors',
    change: 'routes of the user have a caller of the account',
    file: GUARD,
    from: 'if (isBlocked(session)) return true;',
    to: '',
    test: 'apps/api/src/console/console.guard.test.ts',
    name: 'rejects a session with one factor where the account requires two, except for routes of the user',
  },
  {
    protects: 'an account that requires two factors',
    change: 'streams of sessions with one factor go on',
    file: 'libs/auth/src/people/session.repository.ts',
    from: ' AND (session.two_factors OR NOT account.requires_two_factors)',
    to: '',
    test: 'test/integration/console-sessions.test.ts',
    name: 'with one factor gives no access to an account that requires two',
  },
  {
    protects: 'a session gets a new token with its second factor',
    change: 'the token stays',
    file: 'libs/auth/src/people/sessions.ts',
    from: '{ tokenHash: token.hash, hasTwoFactors: true }',
    to: '{ hasTwoFactors: true }',
    test: 'test/integration/console-sessions.test.ts',
    name: 'with one factor gives no access to an account that requires two',
  },
  {
    protects: 'the second factor of a user whose password is known',
    change: 'the password alone adds another factor',
    file: REQUIRED,
    from: 'if (hasFactor && requiringAccount !== null)',
    to: 'if (hasFactor && requiringAccount === userId)',
    test: TESTS,
    name: 'who knows only the password of a user with a passkey cannot add, enable or remove a factor',
  },
  {
    protects: 'users keep the factor that an account requires',
    change: 'the last one can be removed',
    file: REQUIRED,
    from: 'if (!hasFactor && requiringAccount !== null)',
    to: 'if (!hasFactor && requiringAccount === userId)',
    test: TESTS,
    name: 'a user keeps one factor as long as it is required',
  },
  {
    protects: 'access of who requires two factors',
    change: 'a session with one factor can require two',
    file: REQUIRED,
    from: 'required && session?.hasTwoFactors === false',
    to: 'required && session === undefined',
    test: TESTS,
    name: 'is changed by who has signed in with two factors, and the audit log has each change',
  },
];
