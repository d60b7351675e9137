import { isIP } from 'node:net';

export interface RequestWithAddress {
  ip: string;
  socket: { remoteAddress?: string | undefined };
}

/**
 * Returns the address of the connection, or the last address in `X-Forwarded-For` that is no trusted proxy. If the proxy
 * passed on what is no address, it is the address of the proxy.
 */
export function readClientAddress({ ip, socket }: RequestWithAddress): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? 'unknown') : ip;
}
