const KEY_ROWS = 'apps/api/src/idempotency/idempotency-key.repository.ts';
const SERVICE = 'apps/api/src/idempotency/idempotency.service.ts';
const IDEMPOTENCY_TEST = 'test/integration/idempotency.test.ts';

/** A repeated request with the same idempotency key creates nothing twice. @type {import('../mutation.mjs').Mutation[]} */
export const IDEMPOTENCY = [
  {
    protects: 'a repeated request creates nothing twice',
    change: 'a key in use can be claimed again',
    file: KEY_ROWS,
    from: 'WHERE idempotency_key.expires_at <= now()\n',
    to: '\n',
    test: IDEMPOTENCY_TEST,
    name: 'twenty concurrent requests create one job; the others get 409 and then its response',
  },
  {
    protects: 'another request under the same key is rejected',
    change: 'it gets the stored response',
    file: 'apps/api/src/idempotency/replayable-response.ts',
    from: 'if (fingerprint !== this.fingerprint)',
    to: 'if (fingerprint === undefined)',
    test: IDEMPOTENCY_TEST,
    name: 'a repeated request with another body is rejected and changes nothing',
  },
  {
    protects: 'a request that lost its key creates nothing',
    change: 'the claim is not checked before the commit',
    file: SERVICE,
    from: 'if (!(await saveIdempotentResponse(tx, key, { fingerprint, encrypted, retentionSeconds })))\n      throw keyInUseError();',
    to: 'await saveIdempotentResponse(tx, key, { fingerprint, encrypted, retentionSeconds });',
    test: IDEMPOTENCY_TEST,
    name: 'a holder whose key was taken over creates no job, whether the new holder is done or not',
  },
  {
    protects: 'the claim of a key is renewed during a long request',
    change: 'it is not renewed',
    file: SERVICE,
    from: 'setInterval(renew, (leaseSeconds * 1000) / 3)',
    to: 'setInterval(renew, 2 ** 30)',
    test: IDEMPOTENCY_TEST,
    name: 'a holder that works longer than its lease renews it',
  },
  {
    protects: 'job and stored response are committed together',
    change: 'the response is written outside the transaction',
    file: KEY_ROWS,
    from: 'await queryPrepared(tx, SAVE_RESPONSE_QUERY, values)',
    to: 'await queryPrepared(tx.dataSource.manager, SAVE_RESPONSE_QUERY, values)',
    test: IDEMPOTENCY_TEST,
    name: 'a failure after both writes leaves neither a job nor a response',
  },
];
