import type { Socket } from 'node:net';
import pTimeout from 'p-timeout';
import { Agent, buildConnector } from 'undici';
import { SsrfBlockedError, NOT_PUBLIC_MESSAGE } from './ssrf-errors.js';
import type { OutboundGuard } from './outbound-guard.js';
import { isOwnNetworkFailure, OwnNetworkError } from './own-network-failure.js';
import { parseIpAddress } from './public-address.js';
import { RecentConnections } from './recent-connections.js';
import { selectAddressesOfBothFamilies } from './select-addresses-of-both-families.js';

/** Limits the time for a name with many addresses. */
const MAX_ADDRESSES = 4;

/**
 * Reuses no connection, because the guard must check each request. A failure of this machine or its network is an
 * `OwnNetworkError`.
 * @param connectTimeoutMs for the lookup and all addresses together
 */
export function createGuardedAgent(
  guard: OutboundGuard,
  { connectTimeoutMs }: { connectTimeoutMs: number },
): Agent {
  const recent = new RecentConnections();
  const connect: buildConnector.connector = (options, callback) => {
    connectToAllowedAddress(guard, options, connectTimeoutMs, recent).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
  return new Agent({ connect, pipelining: 0 });
}

/**
 * Connects to the checked address, because a second lookup could return another one (DNS rebinding). The Host
 * header and the TLS handshake still use the name.
 */
async function connectToAllowedAddress(
  guard: OutboundGuard,
  options: buildConnector.Options,
  timeoutMs: number,
  recent: RecentConnections,
): Promise<Socket> {
  const deadline = performance.now() + timeoutMs;
  const resolved = await pTimeout(guard.resolveAllowedAddresses(options.hostname), {
    milliseconds: timeoutMs,
  });
  const addresses = selectAddressesOfBothFamilies(resolved, MAX_ADDRESSES);
  let failure: { error: unknown; information: number } | undefined;
  for (const [index, address] of addresses.entries()) {
    const timeout = Math.max(1, Math.floor((deadline - performance.now()) / (addresses.length - index)));
    try {
      const socket = await connectToAddress(address, options, timeout);
      recent.note(address);
      return socket;
    } catch (cause) {
      const error = isFailureOfOwnNetwork(cause, address, recent)
        ? new OwnNetworkError(cause.code, cause)
        : cause;
      const information = rateInformation(error, address, recent);
      if (!failure || information >= failure.information) failure = { error, information };
    }
  }
  throw failure?.error;
}

/** A router reports a network without a way to it by ENETUNREACH, too. */
function isFailureOfOwnNetwork(
  error: unknown,
  address: string,
  recent: RecentConnections,
): error is Error & { code: string } {
  if ((error as NodeJS.ErrnoException).code !== 'ENETUNREACH') return isOwnNetworkFailure(error);
  recent.noteUnreachable(address);
  if (recent.hasEverReachedKindOf(address)) return !recent.hasRecentlyReachedKindOf(address);
  return isOwnNetworkFailure(error) && recent.mayStillReachFirstOfKindOf(address);
}

const UNREACHABLE_CODES = new Set<unknown>(['ENETUNREACH', 'EHOSTUNREACH']);

/** One address may not be reachable from here, such as that of IPv6; what a server answered at another one says more. */
function rateInformation(error: unknown, address: string, recent: RecentConnections): number {
  if (error instanceof OwnNetworkError) return 1;
  const { code } = error as NodeJS.ErrnoException;
  // This machine may have no way to such addresses at all.
  if (code === 'ENETUNREACH' && !recent.hasEverReachedKindOf(address)) return 0;
  return UNREACHABLE_CODES.has(code) ? 2 : 3;
}

async function connectToAddress(
  address: string,
  options: buildConnector.Options,
  timeout: number,
): Promise<Socket> {
  const connect = buildConnector({ timeout, maxCachedSessions: 0, allowH2: false });
  const socket = await new Promise<Socket>((resolve, reject) =>
    connect({ ...options, hostname: address }, (error, connected) =>
      connected ? resolve(connected) : reject(error),
    ),
  );
  if (isSameAddress(socket.remoteAddress, address)) return socket;
  socket.destroy();
  throw new SsrfBlockedError(NOT_PUBLIC_MESSAGE);
}

function isSameAddress(connected: string | undefined, checked: string): boolean {
  const address = parseIpAddress(connected ?? '');
  return address !== undefined && address.toString() === parseIpAddress(checked)?.toString();
}
