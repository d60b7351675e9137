import { isIPv6 } from 'node:net';
import { hasMachineRoutableIpv4Address, hasMachinePublicIpv6Address } from './own-address.js';

/** Without EHOSTUNREACH, which a firewall or the router of the other host reports. */
const LOCAL_FAILURE_CODES = new Set(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE']);

/** A connection failed on this machine or in its network, whatever the server does. */
export class OwnNetworkError extends Error {
  override readonly name = 'OwnNetworkError';

  constructor(
    readonly code: string,
    cause: unknown,
  ) {
    super(`connect ${code}`, { cause });
  }
}

/**
 * Whether this machine cannot connect, whatever the server does. Without IPv6 it never reaches an IPv6 address, and with IPv6 alone no
 * IPv4 address: that is no outage.
 */
export function isOwnNetworkFailure(error: unknown): error is Error & { code: string } {
  const { code, address } = (error ?? {}) as { code?: unknown; address?: unknown };
  if (typeof code !== 'string' || !LOCAL_FAILURE_CODES.has(code)) return false;
  if (typeof address !== 'string') return true;
  return isIPv6(address)
    ? hasMachinePublicIpv6Address()
    : hasMachineRoutableIpv4Address() || !hasMachinePublicIpv6Address();
}
