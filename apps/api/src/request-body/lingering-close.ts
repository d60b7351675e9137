import type { IncomingMessage } from 'node:http';

/** How long a refused sender is listened to, so that it can read the refusal before the connection goes. */
const LINGER_MS = 2_000;

/** A sender that hung up, or fell silent in the middle of its body, hears nothing any more. */
export function isClientDisconnected(request: IncomingMessage): boolean {
  return request.socket.destroyed || (request.destroyed && !request.complete);
}

/** Node reads and drops the rest of a body whose answer has been sent; a sender with gigabytes to go is cut. */
export function closeAfterLinger(request: IncomingMessage): void {
  if (request.complete) return;
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS).unref();
}
