import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Places } from './places.js';

const places = (total: number, perOwner: number) => {
  const refusals: string[] = [];
  const refused = (limit: string) => void refusals.push(limit);
  const pool = new Places({ what: 'bodies', owner: 'key', total, perOwner, refused });
  return { pool, refusals };
};
const SHARE_TAKEN = { code: 'concurrency_limit_exceeded', status: 429, retryAfter: 2 };
const FULL = { code: 'service_unavailable', status: 503, retryAfter: 2 };

function answer(closed = false) {
  return Object.assign(new EventEmitter(), { closed }) as unknown as ServerResponse;
}

describe('Places', () => {
  it('are so many, and one more is refused until one is given back', () => {
    const { pool, refusals } = places(2, 2);
    const leave = pool.take('a');
    pool.take('b');
    expect(() => pool.take('c')).toThrow(expect.objectContaining(FULL));
    expect(pool.taken).toBe(2);
    expect(refusals).toEqual(['total']);
    leave();
    leave();
    expect(pool.taken).toBe(1);
    pool.take('c');
    expect(() => pool.take('d')).toThrow('There are too many bodies at once.');
  });

  it('leave others room whatever one owner takes', () => {
    const { pool, refusals } = places(10, 2);
    pool.take('a');
    const leave = pool.take('a');
    expect(() => pool.take('a')).toThrow(expect.objectContaining(SHARE_TAKEN));
    expect(() => pool.take('a')).toThrow('There are too many bodies of this key at once.');
    expect(refusals).toEqual(['share', 'share']);
    pool.take('b');
    leave();
    pool.take('a');
  });

  it('are counted by size; one that is larger than all of them is admitted alone', () => {
    const { pool } = places(100, 50);
    const leave = pool.take('a', 1_000);
    expect(() => pool.take('a', 1)).toThrow(expect.objectContaining(SHARE_TAKEN));
    expect(() => pool.take('b', 1)).toThrow(expect.objectContaining(FULL));
    leave();
    pool.take('a', 50);
    pool.take('b', 50);
    expect(() => pool.take('c', 1)).toThrow(expect.objectContaining(FULL));
  });

  it('are free again when the work is done and when it fails', async () => {
    const { pool } = places(1, 1);
    expect(await pool.during('a', () => Promise.resolve(pool.taken))).toBe(1);
    await expect(pool.during('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(pool.taken).toBe(0);
  });

  it('are held until an answer closes, and not at all by one that has', () => {
    const { pool } = places(1, 1);
    const open = answer();
    pool.untilClosed('a', open);
    expect(pool.taken).toBe(1);
    open.emit('close');
    expect(pool.taken).toBe(0);
    pool.untilClosed('a', answer(true));
    expect(pool.taken).toBe(0);
  });
});
