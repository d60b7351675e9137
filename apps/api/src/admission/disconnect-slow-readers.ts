import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const CHECKS_PER_TIMEOUT = 4;

/**
 * Disconnects clients that read none of their pending data for the timeout, at the latest after two and a half times
 * that. An idle stream has no pending data and is never disconnected.
 *
 * Node's socket timeout is also reset by bytes from the client. So reading from a client is paused until it has read its
 * pending data.
 */
export function disconnectSlowReaders(server: Server, timeoutSeconds: number): void {
  const openResponses = new Set<ServerResponse>();
  const paused = new WeakSet<ServerResponse>();
  server.on('request', (_, response: ServerResponse) => {
    openResponses.add(response);
    response.once('close', () => openResponses.delete(response));
  });

  const pauseUntilRead = (response: ServerResponse, socket: Socket) => {
    paused.add(response);
    const resume = () => {
      if (!paused.delete(response)) return;
      response.off('finish', resume);
      socket.setTimeout(0);
      socket.resume();
    };
    // Before Node's own listener, which reuses the connection or starts its keep-alive timeout.
    response.prependOnceListener('finish', resume);
    // The callback runs when all earlier data has been read.
    socket.write('', resume);
    socket.pause();
    socket.setTimeout(timeoutSeconds * 1_000);
  };

  const checkTimer = setInterval(
    () => {
      for (const response of openResponses) {
        const { socket } = response;
        if (socket?.writable && socket.writableLength > 0 && !paused.has(response))
          pauseUntilRead(response, socket);
      }
    },
    (timeoutSeconds * 1_000) / CHECKS_PER_TIMEOUT,
  );
  checkTimer.unref();
  server.once('close', () => clearInterval(checkTimer));
}
