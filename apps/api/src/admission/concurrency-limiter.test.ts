import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

const createLimiter = (maxTotal: number, maxPerOwner: number) => {
  const rejections: string[] = [];
  const onRejected = (limit: string) => void rejections.push(limit);
  const pool = new ConcurrencyLimiter({
    resource: 'bodies',
    ownerKind: 'key',
    maxTotal,
    maxPerOwner,
    onRejected,
  });
  return { pool, refusals: rejections };
};
const SHARE_EXCEEDED = { code: 'concurrency_limit_exceeded', status: 429, retryAfter: 2 };
const FULL = { code: 'service_unavailable', status: 503, retryAfter: 2 };

function createResponse(closed = false) {
  return Object.assign(new EventEmitter(), { closed }) as unknown as ServerResponse;
}

describe('ConcurrencyLimiter', () => {
  it('rejects a request over the total until a slot is released', () => {
    const { pool, refusals: rejections } = createLimiter(2, 2);
    const release = pool.acquire('a');
    pool.acquire('b');
    expect(() => pool.acquire('c')).toThrow(expect.objectContaining(FULL));
    expect(pool.inUse).toBe(2);
    expect(rejections).toEqual(['total']);
    release();
    release();
    expect(pool.inUse).toBe(1);
    pool.acquire('c');
    expect(() => pool.acquire('d')).toThrow('There are too many bodies at once.');
  });

  it('reserves room for other owners whatever one owner uses', () => {
    const { pool, refusals: rejections } = createLimiter(10, 2);
    pool.acquire('a');
    const release = pool.acquire('a');
    expect(() => pool.acquire('a')).toThrow(expect.objectContaining(SHARE_EXCEEDED));
    expect(() => pool.acquire('a')).toThrow('There are too many bodies of this key at once.');
    expect(rejections).toEqual(['share', 'share']);
    pool.acquire('b');
    release();
    pool.acquire('a');
  });

  it.each([
    { maxPerOwner: 10, held: [10, 10, 10, 5, 3, 1] },
    { maxPerOwner: 30, held: [30, 8, 2] },
    { maxPerOwner: 40, held: [40, 0] },
  ])(
    'leaves room for further owners, as far as the share of $maxPerOwner of 40 permits',
    ({ maxPerOwner, held }) => {
      const onRejected = () => {};
      const options = { resource: 'streams', ownerKind: 'account', maxTotal: 40, maxPerOwner, onRejected };
      const pool = new ConcurrencyLimiter({ ...options, leavesRoomForOthers: true });
      const acquireAll = (owner: string) => {
        for (let acquired = 0; ; acquired += 1) {
          try {
            pool.acquire(owner);
          } catch {
            return acquired;
          }
        }
      };
      expect(held.map((_, owner) => acquireAll(String(owner)))).toEqual(held);
    },
  );

  it('counts requests by size and admits one that exceeds the total if it is alone', () => {
    const { pool } = createLimiter(100, 50);
    const release = pool.acquire('a', 1_000);
    expect(() => pool.acquire('a', 1)).toThrow(expect.objectContaining(SHARE_EXCEEDED));
    expect(() => pool.acquire('b', 1)).toThrow(expect.objectContaining(FULL));
    release();
    pool.acquire('a', 50);
    pool.acquire('b', 50);
    expect(() => pool.acquire('c', 1)).toThrow(expect.objectContaining(FULL));
  });

  it('releases the slot when the work succeeds and when it fails', async () => {
    const { pool } = createLimiter(1, 1);
    expect(await pool.run('a', () => Promise.resolve(pool.inUse))).toBe(1);
    await expect(pool.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(pool.inUse).toBe(0);
  });

  it('holds the slot until the response closes, and not at all if it has closed', () => {
    const { pool } = createLimiter(1, 1);
    const open = createResponse();
    pool.holdUntilClosed('a', open);
    expect(pool.inUse).toBe(1);
    open.emit('close');
    expect(pool.inUse).toBe(0);
    pool.holdUntilClosed('a', createResponse(true));
    expect(pool.inUse).toBe(0);
  });
});
