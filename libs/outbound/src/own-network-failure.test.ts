import os from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isOwnNetworkFailure } from './own-network-failure.js';

afterEach(() => void vi.restoreAllMocks());

const createError = (code: string, address?: string) =>
  Object.assign(new Error(code), { code, ...(address !== undefined && { address }) });

function setAddresses(...addresses: string[]): void {
  const eth0 = addresses.map((address) => ({ address }) as os.NetworkInterfaceInfo);
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0 });
}

describe('isOwnNetworkFailure', () => {
  it.each(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE'])('is true for %s', (code) => {
    setAddresses('192.0.2.2');
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
    setAddresses(own);
    expect(isOwnNetworkFailure(createError('ENETUNREACH', '2606:4700::2222'))).toBe(expected);
  });

  it.each([
    [['2606:4700::1111'], false],
    [['2606:4700::1111', '127.0.0.1', '169.254.1.1'], false],
    [['2606:4700::1111', '10.0.0.1'], true],
    [[], true],
  ])('with the addresses %j of its own, is %s for an IPv4 address that is unreachable', (own, expected) => {
    setAddresses(...own);
    expect(isOwnNetworkFailure(createError('ENETUNREACH', '8.8.8.8'))).toBe(expected);
  });
});
