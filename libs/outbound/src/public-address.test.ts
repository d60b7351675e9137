import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress, parseIpAddress } from './public-address.js';

const octet = fc.nat(255);
const ipv4 = fc.tuple(octet, octet, octet, octet);

function publicText(text: string): boolean {
  const address = parseIpAddress(text);
  return address !== undefined && isPublicAddress(address);
}

/** The special blocks of IPv4, written down apart from the library that the code asks. */
const SPECIAL: [number, number][] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 4],
  [0xf0000000, 4],
];

describe('isPublicAddress', () => {
  it('rejects every special IPv4 block, also embedded in IPv6', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SPECIAL), fc.nat(0xffffffff), ([base, bits], noise) => {
        const value = (base + (noise % 2 ** (32 - bits))) >>> 0;
        const parts = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
        const hex = `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
        for (const text of [parts, `::ffff:${parts}`, `::${parts}`, `64:ff9b::${parts}`, `2002:${hex}::1`])
          expect(publicText(text), text).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('treats an IPv4 address and its IPv6-mapped form alike', () => {
    fc.assert(
      fc.property(ipv4, (parts) => {
        const text = parts.join('.');
        expect(publicText(`::ffff:${text}`)).toBe(publicText(text));
        expect(publicText(`64:ff9b::${text}`)).toBe(publicText(text));
      }),
    );
  });

  it('rejects what is no IP address', () => {
    for (const text of [
      '',
      'localhost',
      '127.1',
      '0x7f000001',
      '1.2.3.4%eth0',
      'fe80::1%1',
      '[::1]',
      '1.2.3.4 ',
    ])
      expect(parseIpAddress(text), text).toBeUndefined();
  });
});
