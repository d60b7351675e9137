import { describe, expect, it } from 'vitest';
import { toRateLimitedNetwork } from './sign-in-limits.js';

describe('toRateLimitedNetwork', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    [null, 'unknown'],
  ])('counts %s as %s', (address, network) => expect(toRateLimitedNetwork(address)).toBe(network));
});
