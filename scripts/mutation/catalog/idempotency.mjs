const KEY_ROWS = 'apps/api/src/idempotency/idempotency-key.repository.ts';
const SERVICE = 'apps/api/src/idempotency/idempotency.service.ts';
const REPEATS_TEST = 'test/integration/idempotency.test.ts';

/** A request that is sent again under the same key creates nothing twice. @type {import('../mutation.mjs').Mutation[]} */
export const IDEMPOTENCY = [
  {
    protects: 'a repeated request is one',
    change: 'a key in use is taken over',
    file: KEY_ROWS,
    from: 'WHERE idempotency_key.expires_at <= now()\n',
    to: '\n',
    test: REPEATS_TEST,
    name: 'twenty concurrent requests create one job; the others get 409 and then its response',
  },
  {
    protects: 'another request under the same key',
    change: 'it has the answer of the first',
    file: 'apps/api/src/idempotency/replayable-response.ts',
    from: 'if (fingerprint !== this.fingerprint)',
    to: 'if (fingerprint === undefined)',
    test: REPEATS_TEST,
    name: 'a repeated request with another body is rejected and changes nothing',
  },
  {
    protects: 'a late holder of a key makes nothing',
    change: 'whose the key is by now is not looked at',
    file: SERVICE,
    from: 'if (!(await saveIdempotentResponse(tx, key, { fingerprint, encrypted, retentionSeconds })))\n      throw keyInUseError();',
    to: 'await saveIdempotentResponse(tx, key, { fingerprint, encrypted, retentionSeconds });',
    test: REPEATS_TEST,
    name: 'a holder whose key was taken over creates no job, whether the new holder is done or not',
  },
  {
    protects: 'a key in hand is kept',
    change: 'it is not renewed',
    file: SERVICE,
    from: 'setInterval(renew, (leaseSeconds * 1000) / 3)',
    to: 'setInterval(renew, 2 ** 30)',
    test: REPEATS_TEST,
    name: 'a holder that works longer than its lease renews it',
  },
  {
    protects: 'job and answer are one',
    change: 'the answer is written beside the transaction',
    file: KEY_ROWS,
    from: 'await queryPrepared(tx, SAVE_RESPONSE_QUERY, values)',
    to: 'await queryPrepared(tx.dataSource.manager, SAVE_RESPONSE_QUERY, values)',
    test: REPEATS_TEST,
    name: 'a failure after both writes leaves neither a job nor a response',
  },
];
