import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limitBody } from './limit-body.js';

const limits = { maxBytes: 10, idleTimeoutMs: 1_000, bytesPerSecond: 0 };

describe('limitBody', () => {
  it('passes a body of exactly the maximum size', async () => {
    const sizes: number[] = [];
    for await (const chunk of limitBody(Readable.from([Buffer.alloc(4), Buffer.alloc(6)]), limits))
      sizes.push(chunk.length);
    expect(sizes).toEqual([4, 6]);
  });

  it('throws on the first byte over the maximum and leaves the source open', async () => {
    const source = new PassThrough();
    source.write(Buffer.alloc(11));
    await expect(limitBody(source, limits).next()).rejects.toThrow('exceeds 10 bytes');
    expect(source.destroyed).toBe(false);
  });

  describe('with timeouts', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    it('aborts a body that stalls', async () => {
      const source = new PassThrough();
      const next = limitBody(source, limits).next();
      const [outcome] = await Promise.all([next.catch(String), vi.advanceTimersByTimeAsync(1_001)]);
      expect(outcome).toContain('Nothing arrived for 1000 ms.');
      expect(source.destroyed).toBe(true);
    });

    it('aborts a body below the minimum transfer rate after the timeout', async () => {
      const now = vi.spyOn(performance, 'now');
      const source = new PassThrough();
      const body = limitBody(source, { maxBytes: 100, idleTimeoutMs: 1_000, bytesPerSecond: 3 });
      /** What arrives of this many bytes after this many milliseconds. */
      const after = async (ms: number, bytes: number) => {
        const next = body.next().then(({ value }) => value?.length, String);
        now.mockReturnValue(performance.now() + ms);
        source.write(Buffer.alloc(bytes));
        return next;
      };
      now.mockReturnValue(0);
      expect(await after(600, 1)).toBe(1);
      expect(await after(600, 3)).toBe(3);
      expect(await after(900, 1)).toBe(1);
      expect(await after(900, 1)).toContain('Less than 3 bytes arrived a second.');
      expect(source.destroyed).toBe(true);
      now.mockRestore();
    });

    it('does not count the time of a slow consumer', async () => {
      const source = new PassThrough();
      source.write(Buffer.alloc(1));
      const body = limitBody(source, limits);
      await body.next();
      await vi.advanceTimersByTimeAsync(10_000);
      source.end(Buffer.alloc(1));
      expect((await body.next()).value).toHaveLength(1);
      expect((await body.next()).done).toBe(true);
    });
  });
});
