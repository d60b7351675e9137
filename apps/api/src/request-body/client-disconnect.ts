import type { IncomingMessage } from 'node:http';

/** Time for a rejected client to read the error before its connection is closed. */
const LINGER_MS = 2_000;

/** Whether the client can no longer receive a response. */
export function isClientDisconnected(request: IncomingMessage): boolean {
  return request.socket.destroyed || (request.destroyed && !request.complete);
}

/** Node discards the rest of a body after the response; a client with much more to send is disconnected. */
export function scheduleDisconnectUnlessBodyEnds(request: IncomingMessage): void {
  if (request.complete) return;
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS).unref();
}
