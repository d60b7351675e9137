import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Looks at what is open in the time that it has. */
const CHECKS_PER_TIMEOUT = 4;

/**
 * Cuts whoever takes nothing of what is written for it for so long, at the latest after two and a half times as long.
 * Of a stream that has nothing to say nothing waits: that it is quiet does not count.
 *
 * Node's own timer sees whether bytes are taken, but what a client sends sets it back, too. So nothing more is heard of
 * a client until it has taken what waits for it.
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
    // Before Node hears of it, which gives the connection its next answer, or the time for which it is kept.
    response.prependOnceListener('finish', resume);
    // Called when all that was written before it has been taken.
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
