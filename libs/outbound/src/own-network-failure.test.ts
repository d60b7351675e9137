import os from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isOwnNetworkFailure } from './own-network-failure.js';

afterEach(() => void vi.restoreAllMocks());

const createError = (code: string, address?: string) =>
  Object.assign(new Error(code), { code, ...(address !== undefined && { address }) });

function setIpv6Address(address: string): void {
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({
    eth0: [{ address, family: 'IPv6' } as os.NetworkInterfaceInfo],
  });
}

describe('isOwnNetworkFailure', () => {
  it.each(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE'])('is true for %s', (code) => {
    expect(isOwnNetworkFailure(createError(code, '8.8.8.8'))).toBe(true);
    expect(isOwnNetworkFailure(createError(code))).toBe(true);
  });

  it.each([
    'EHOSTUNREACH',
    'ECONNREFUSED',
    'ECONNRESET',
    'ETIMEDOUT',
    'UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_SOCKET',
  ])('is false for %s', (code) => {
    expect(isOwnNetworkFailure(createError(code, '8.8.8.8'))).toBe(false);
  });

  it.each([undefined, null, 'ENETUNREACH', {}])('is false for %j', (error) => {
    expect(isOwnNetworkFailure(error)).toBe(false);
  });

  it.each([
    ['2606:4700::1111', true],
    ['fd00::1', false],
    ['fe80::1', false],
  ])('with the address %s of its own, is %s for an IPv6 address that is unreachable', (own, expected) => {
    setIpv6Address(own);
    expect(isOwnNetworkFailure(createError('ENETUNREACH', '2606:4700::2222'))).toBe(expected);
  });
});
