import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { SsrfBlockedError, NOT_PUBLIC_MESSAGE } from './ssrf-blocked-error.js';
import { raceWithSignal } from './race-with-signal.js';
import { Deadline } from './deadline.js';
import type { OutboundGuard } from './outbound-guard.js';
import { parseIpAddress } from './public-address.js';

/** A name with many addresses must not keep a caller busy with all of them. */
const MAX_ADDRESSES = 4;

/**
 * Connects to the address that was checked, not to the name: between the check and the connection there is no
 * second look-up that could answer otherwise. The name stays in the Host header and in the TLS handshake.
 * @param timeoutMs for the look-up and all addresses together
 */
export function createGuardedConnector(guard: OutboundGuard, timeoutMs: number): buildConnector.connector {
  return (options, callback) => {
    connectToAllowedAddress(guard, options, timeoutMs).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

async function connectToAllowedAddress(
  guard: OutboundGuard,
  options: buildConnector.Options,
  timeoutMs: number,
): Promise<Socket> {
  const deadline = performance.now() + timeoutMs;
  const addresses = await resolveWithTimeout(guard, options.hostname, timeoutMs);
  let failure: unknown;
  for (const [index, address] of addresses.entries()) {
    const timeout = Math.max(1, Math.floor((deadline - performance.now()) / (addresses.length - index)));
    try {
      return await connectToAddress(address, options, timeout);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function resolveWithTimeout(
  guard: OutboundGuard,
  hostname: string,
  timeoutMs: number,
): Promise<string[]> {
  const deadline = new Deadline(timeoutMs);
  try {
    const addresses = await raceWithSignal(guard.resolveAllowedAddresses(hostname), deadline.signal);
    return addresses.slice(0, MAX_ADDRESSES);
  } finally {
    deadline.clear();
  }
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
  const [one, other] = [parseIpAddress(connected ?? ''), parseIpAddress(checked)];
  return one !== undefined && one.toString() === other?.toString();
}
