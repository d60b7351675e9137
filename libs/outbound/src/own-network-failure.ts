import { isIPv6 } from 'node:net';
import { hasMachinePublicIpv6Address } from './own-address.js';

const LOCAL_FAILURE_CODES = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
]);

/**
 * Whether this machine cannot connect, whatever the server does. Without IPv6 it never reaches an IPv6 address: that is no
 * outage.
 */
export function isOwnNetworkFailure(error: unknown): boolean {
  const { code, address } = (error ?? {}) as { code?: unknown; address?: unknown };
  if (typeof code !== 'string' || !LOCAL_FAILURE_CODES.has(code)) return false;
  return typeof address !== 'string' || !isIPv6(address) || hasMachinePublicIpv6Address();
}
