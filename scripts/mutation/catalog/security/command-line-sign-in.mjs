const TESTS = 'test/e2e/console-command-line.test.ts';
const SERVICE = 'libs/auth/src/people/sign-in/command-line-sign-ins.ts';
const REPOSITORY = 'libs/auth/src/people/sign-in/command-line-sign-in.repository.ts';

/** Keys that command lines get through the console. @type {import('../../mutation.mjs').Mutation[]} */
export const COMMAND_LINE_SIGN_IN = [
  {
    protects: 'a command line gets its key once',
    change: 'the row stays when the key was given out',
    file: REPOSITORY,
    from: `'DELETE FROM command_line_sign_in WHERE device_code_hash = $1'`,
    to: `'SELECT FROM command_line_sign_in WHERE device_code_hash = $1'`,
    test: TESTS,
    name: 'gets a key of the account of who approves it, once, and the audit log has both steps',
  },
  {
    protects: 'a key for a command line needs the permission of who has approved, when it is made',
    change: 'the role is not looked at any more',
    file: SERVICE,
    from: `role === null || !hasPermission(role, 'keys.create')`,
    to: `role === null || !hasPermission('owner', 'keys.create')`,
    test: TESTS,
    name: 'gets no key if who has approved it %s',
  },
  {
    protects: 'codes of command lines cannot be guessed',
    change: 'attempts are not counted',
    file: SERVICE,
    from: 'return this.limits.countAttempt(`command line code of ${userId}`, address);',
    to: 'return Promise.resolve(void [userId, address]);',
    test: TESTS,
    name: 'cannot be found by guessing: codes are counted for each user',
  },
  {
    protects: 'a sign-in of a command line ends after ten minutes',
    change: 'an approved one stays valid',
    file: REPOSITORY,
    from: 'WHERE device_code_hash = $1 AND expires_at > now() FOR UPDATE OF waiting',
    to: 'WHERE device_code_hash = $1 FOR UPDATE OF waiting',
    test: TESTS,
    name: 'ends after ten minutes, approved or not',
  },
];
