import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { AddressRefused, NOT_PUBLIC } from './address-refused.js';
import { bounded } from './bounded.js';
import { Deadline } from './deadline.js';
import type { OutboundGuard } from './outbound-guard.js';
import { parseAddress } from './public-address.js';

/** A name with many addresses must not keep a caller busy with all of them. */
const MOST_ADDRESSES = 4;

/**
 * Connects to the address that was checked, not to the name: between the check and the connection there is no
 * second look-up that could answer otherwise. The name stays in the Host header and in the TLS handshake.
 * @param timeoutMs for the look-up and all addresses together
 */
export function guardedConnector(guard: OutboundGuard, timeoutMs: number): buildConnector.connector {
  return (options, callback) => {
    connectChecked(guard, options, timeoutMs).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

async function connectChecked(
  guard: OutboundGuard,
  options: buildConnector.Options,
  timeoutMs: number,
): Promise<Socket> {
  const deadline = performance.now() + timeoutMs;
  const addresses = await lookUp(guard, options.hostname, timeoutMs);
  let failure: unknown;
  for (const [index, address] of addresses.entries()) {
    const timeout = Math.max(1, Math.floor((deadline - performance.now()) / (addresses.length - index)));
    try {
      return await connectTo(address, options, timeout);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function lookUp(guard: OutboundGuard, hostname: string, timeoutMs: number): Promise<string[]> {
  const deadline = new Deadline(timeoutMs);
  try {
    const addresses = await bounded(guard.addressesOf(hostname), deadline.signal);
    return addresses.slice(0, MOST_ADDRESSES);
  } finally {
    deadline.end();
  }
}

async function connectTo(address: string, options: buildConnector.Options, timeout: number): Promise<Socket> {
  const connect = buildConnector({ timeout, maxCachedSessions: 0, allowH2: false });
  const socket = await new Promise<Socket>((resolve, reject) =>
    connect({ ...options, hostname: address }, (error, connected) =>
      connected ? resolve(connected) : reject(error),
    ),
  );
  if (isSame(socket.remoteAddress, address)) return socket;
  socket.destroy();
  throw new AddressRefused(NOT_PUBLIC);
}

function isSame(connected: string | undefined, checked: string): boolean {
  const [one, other] = [parseAddress(connected ?? ''), parseAddress(checked)];
  return one !== undefined && one.toString() === other?.toString();
}
