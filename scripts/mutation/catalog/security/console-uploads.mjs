/** Files of the browser belong to the job that they were sent for, and to the user who sent them. @type {import('../../mutation.mjs').Mutation[]} */
export const CONSOLE_UPLOADS = [
  {
    protects: 'the rest of an upload against the bytes of another file',
    change: 'digests are not compared',
    file: 'apps/console/src/uploads/digest.ts',
    from: '(await digestBlob(part)) !== digest',
    to: "(await digestBlob(part)) === ''",
    test: 'apps/console/src/uploads/digest.test.ts',
    name: 'rejects %s',
  },
  {
    protects: 'parts that are stored already',
    change: 'an upload that goes on starts again',
    file: 'apps/console/src/uploads/run-upload.ts',
    from: 'let index = parts.length;',
    to: 'let index = 0;',
    test: 'apps/console/src/uploads/run-upload.test.ts',
    name: 'goes on after the parts that an earlier run saved',
  },
];
