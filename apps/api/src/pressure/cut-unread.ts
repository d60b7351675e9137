import type { Socket } from 'node:net';

/**
 * From now on the connection is cut when its client takes nothing of what is written for so long. To be called when
 * nothing more will be written: until then a quiet connection is no idle one. Node gives a connection that is kept
 * for further requests its own timeout again.
 */
export function cutWhenUnread(socket: Socket, seconds: number): void {
  socket.setTimeout(seconds * 1_000);
}
