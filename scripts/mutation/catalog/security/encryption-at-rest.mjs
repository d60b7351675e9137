const ENCRYPTOR = 'libs/database/src/encryption/encryptor.ts';
const ENCRYPTOR_TEST = 'libs/database/src/encryption/encryptor.test.ts';
const RESPONSE_TEST = 'test/integration/idempotency.encryption.test.ts';

/** Secrets and stored responses are encrypted at rest. @type {import('../../mutation.mjs').Mutation[]} */
export const ENCRYPTION_AT_REST = [
  {
    protects: 'stored responses are encrypted',
    change: 'they are stored in plain text',
    file: 'apps/api/src/idempotency/response-cipher.ts',
    from: 'return this.rows.encrypt([accountId, route, key], deflateRawSync(text));',
    to: `return { keyId: 'none', sealed: Buffer.from(text) };`,
    test: RESPONSE_TEST,
    name: 'the response is encrypted and cannot be decrypted in the row of another key',
  },
  {
    protects: 'an encrypted response can be decrypted only in its row',
    change: 'the row is not authenticated',
    file: ENCRYPTOR,
    from: 'Buffer.from(owner)',
    to: 'Buffer.alloc(owner.length * 0)',
    test: RESPONSE_TEST,
    name: 'the response is encrypted and cannot be decrypted in the row of another key',
  },
  {
    protects: 'signing secrets are encrypted',
    change: 'they are stored in plain text',
    file: 'libs/webhooks/src/signing/webhook-signing-secret.service.ts',
    from: 'new RowEncryptor(dataSource, encryptor, ENCRYPTED_SIGNING_SECRETS_TABLE)',
    to: `{ encrypt: (_, sealed) => ({ keyId: 'none', sealed }), decrypt: (_, { sealed }) => sealed, reencrypt: () => false }`,
    test: 'test/integration/webhooks.secrets.test.ts',
    name: 'the database holds no secret in plain text',
  },
  {
    protects: 'requests and responses of webhook attempts are encrypted',
    change: 'they are stored in plain text',
    file: 'libs/webhooks/src/deliveries/webhook-body-encryptor.ts',
    from: 'return this.attemptRows.encrypt([deliveryId, String(number)], Buffer.from(JSON.stringify(exchange)));',
    to: `return { keyId: 'none', sealed: Buffer.from(JSON.stringify(exchange)) };`,
    test: 'test/integration/webhooks.log.test.ts',
    name: 'request and answer are encrypted, and bound to their attempt',
  },
  {
    protects: 'changed ciphertext is rejected',
    change: 'the authentication tag is not verified',
    file: ENCRYPTOR,
    from: 'Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])',
    to: 'decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))',
    test: ENCRYPTOR_TEST,
    name: 'does not decrypt with another key, for another owner, or after any byte has changed',
  },
  {
    protects: 'equal plaintexts have different ciphertexts',
    change: 'the nonce is constant',
    file: ENCRYPTOR,
    from: 'const nonce = randomBytes(NONCE_BYTES);',
    to: 'const nonce = Buffer.alloc(NONCE_BYTES);',
    test: ENCRYPTOR_TEST,
    name: 'decrypts what it encrypted, and encrypts equal plaintexts differently',
  },
  {
    protects: 'retired keys still decrypt',
    change: 'they are not tried',
    file: ENCRYPTOR,
    from: '[...retired, key].map(',
    to: '[key].map(',
    test: ENCRYPTOR_TEST,
    name: 'decrypts with a retired key and reports the row as outdated',
  },
  {
    protects: 'encryption keys have 32 bytes',
    change: 'any length is accepted',
    file: ENCRYPTOR,
    from: 'each.length !== 32',
    to: 'each.length === 0',
    test: ENCRYPTOR_TEST,
    name: 'accepts only 32-byte keys',
  },
];
