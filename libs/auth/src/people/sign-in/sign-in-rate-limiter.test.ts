import { describe, expect, it } from 'vitest';
import { SignInRateLimiter, toClientNetwork } from './sign-in-rate-limiter.js';

describe('toClientNetwork', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    [null, 'unknown'],
  ])('counts %s as %s', (address, network) => expect(toClientNetwork(address)).toBe(network));
});

describe('SignInRateLimiter', () => {
  it('nobody signs in while attempts cannot be counted', async () => {
    const limiter = { take: () => Promise.reject(new Error('no connection')) };
    const limits = new SignInRateLimiter(limiter as never, 30);
    for (const attempt of [
      limits.countAttempt('ada@example.org', '203.0.113.7'),
      limits.countRequest('203.0.113.7'),
      limits.countUserAttempt('ada'),
    ])
      await expect(attempt).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('an address above its limit uses up no attempts of users', async () => {
    const buckets: string[] = [];
    const take = (bucket: string) => {
      buckets.push(bucket);
      return Promise.resolve({ admitted: !bucket.startsWith('sign-in:address:'), resetMs: 1_000 });
    };
    const limits = new SignInRateLimiter({ take } as never, 30);
    const attempt = limits.countAttempt('ada@example.org', '203.0.113.7');
    await expect(attempt).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    expect(buckets).toEqual([expect.stringMatching(/^sign-in:address:/)]);
  });
});
