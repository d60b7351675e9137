/** Errors of the client say what is wrong. @type {import('../mutation.mjs').Mutation[]} */
export const CLIENT_ERRORS = [
  {
    protects: 'a URL of the service without a path is not doubted',
    change: 'a route that does not exist doubts every URL',
    file: 'packages/client/src/errors.ts',
    from: "problem.code === 'not_found' && baseUrl.pathname !== '/'",
    to: "problem.code === 'not_found'",
    test: 'packages/client/src/http/retry.test.ts',
    name: 'does not do so for a URL without a path, and for a job that does not exist',
  },
];
