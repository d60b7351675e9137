const SEALER = 'libs/database/src/sealing/sealer.ts';
const SEALER_TEST = 'libs/database/src/sealing/sealer.test.ts';
const ANSWER_TEST = 'test/integration/idempotency.sealed.test.ts';

/** What is kept encrypted. @type {import('../protection.mjs').Protection[]} */
export const SEALING = [
  {
    what: 'answers that are remembered are sealed',
    by: 'they are kept as they are',
    file: 'apps/api/src/idempotency/sealed-answers.ts',
    from: 'return this.rows.seal([accountId, route, key], deflateRawSync(text));',
    to: `return { keyId: 'none', sealed: Buffer.from(text) };`,
    test: ANSWER_TEST,
    name: 'cannot be read, nor opened in the row of another key',
  },
  {
    what: 'a sealed answer belongs to its row',
    by: 'the row is not authenticated',
    file: SEALER,
    from: 'Buffer.from(owner)',
    to: 'Buffer.alloc(owner.length * 0)',
    test: ANSWER_TEST,
    name: 'cannot be read, nor opened in the row of another key',
  },
  {
    what: 'signing secrets are sealed',
    by: 'they are kept as they are',
    file: 'libs/webhooks/src/signing/signing-secrets.ts',
    from: 'new SealedRows(dataSource, sealer, SEALED_SECRETS)',
    to: `{ seal: (_, sealed) => ({ keyId: 'none', sealed }), open: (_, { sealed }) => sealed, reseal: () => false }`,
    test: 'test/integration/webhooks.secrets.test.ts',
    name: 'are nowhere in the database in clear',
  },
  {
    what: 'what is sealed was not changed',
    by: 'the tag is not verified',
    file: SEALER,
    from: 'Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()])',
    to: 'decipher.update(sealed.subarray(NONCE + TAG))',
    test: SEALER_TEST,
    name: 'does not open without its key, for another owner, or after any byte was changed',
  },
  {
    what: 'one secret, sealed differently each time',
    by: 'the nonce is always the same',
    file: SEALER,
    from: 'const nonce = randomBytes(NONCE);',
    to: 'const nonce = Buffer.alloc(NONCE);',
    test: SEALER_TEST,
    name: 'opens what it sealed, and seals the same secret differently each time',
  },
  {
    what: 'keys on the way out',
    by: 'they open nothing',
    file: SEALER,
    from: '[...retired, key].map(',
    to: '[key].map(',
    test: SEALER_TEST,
    name: 'opens with a retired key and says that it is outdated',
  },
  {
    what: 'weak sealing keys',
    by: 'any length will do',
    file: SEALER,
    from: 'each.length !== 32',
    to: 'each.length === 0',
    test: SEALER_TEST,
    name: 'takes 32-byte keys only',
  },
];
