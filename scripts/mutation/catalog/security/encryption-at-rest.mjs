const SEALER = 'libs/database/src/encryption/encryptor.ts';
const SEALER_TEST = 'libs/database/src/encryption/encryptor.test.ts';
const ANSWER_TEST = 'test/integration/idempotency.encryption.test.ts';

/** Secrets and stored responses are encrypted at rest. @type {import('../../mutation.mjs').Mutation[]} */
export const ENCRYPTION_AT_REST = [
  {
    protects: 'answers that are remembered are sealed',
    change: 'they are kept as they are',
    file: 'apps/api/src/idempotency/response-cipher.ts',
    from: 'return this.rows.encrypt([accountId, route, key], deflateRawSync(text));',
    to: `return { keyId: 'none', sealed: Buffer.from(text) };`,
    test: ANSWER_TEST,
    name: 'the response is encrypted and cannot be decrypted in the row of another key',
  },
  {
    protects: 'a sealed answer belongs to its row',
    change: 'the row is not authenticated',
    file: SEALER,
    from: 'Buffer.from(owner)',
    to: 'Buffer.alloc(owner.length * 0)',
    test: ANSWER_TEST,
    name: 'the response is encrypted and cannot be decrypted in the row of another key',
  },
  {
    protects: 'signing secrets are sealed',
    change: 'they are kept as they are',
    file: 'libs/webhooks/src/signing/signing-secrets.ts',
    from: 'new RowEncryptor(dataSource, encryptor, ENCRYPTED_SIGNING_SECRETS)',
    to: `{ seal: (_, sealed) => ({ keyId: 'none', sealed }), open: (_, { sealed }) => sealed, reseal: () => false }`,
    test: 'test/integration/webhooks.secrets.test.ts',
    name: 'the database holds no secret in plain text',
  },
  {
    protects: 'what is sealed was not changed',
    change: 'the tag is not verified',
    file: SEALER,
    from: 'Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])',
    to: 'decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))',
    test: SEALER_TEST,
    name: 'does not decrypt with another key, for another owner, or after any byte has changed',
  },
  {
    protects: 'one secret, sealed differently each time',
    change: 'the nonce is always the same',
    file: SEALER,
    from: 'const nonce = randomBytes(NONCE_BYTES);',
    to: 'const nonce = Buffer.alloc(NONCE_BYTES);',
    test: SEALER_TEST,
    name: 'decrypts what it encrypted, and encrypts equal plaintexts differently',
  },
  {
    protects: 'keys on the way out',
    change: 'they open nothing',
    file: SEALER,
    from: '[...retired, key].map(',
    to: '[key].map(',
    test: SEALER_TEST,
    name: 'decrypts with a retired key and reports the row as outdated',
  },
  {
    protects: 'weak sealing keys',
    change: 'any length will do',
    file: SEALER,
    from: 'each.length !== 32',
    to: 'each.length === 0',
    test: SEALER_TEST,
    name: 'accepts only 32-byte keys',
  },
];
