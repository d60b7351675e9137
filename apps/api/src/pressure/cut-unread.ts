import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Looks at what is open in the time that it has. */
const LOOKS = 4;

/**
 * Cuts whoever takes nothing of what is written for it for so long, at the latest after two and a half times as long.
 * Of a stream that has nothing to say nothing waits: that it is quiet does not count.
 *
 * Node's own timer sees whether bytes are taken, but what a client sends sets it back, too. So nothing more is heard of
 * a client until it has taken what waits for it.
 */
export function cutUnread(server: Server, seconds: number): void {
  const open = new Set<ServerResponse>();
  const held = new WeakSet<ServerResponse>();
  server.on('request', (_, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => open.delete(response));
  });

  const hold = (response: ServerResponse, socket: Socket) => {
    held.add(response);
    const release = () => {
      if (!held.delete(response)) return;
      response.off('finish', release);
      socket.setTimeout(0);
      socket.resume();
    };
    // Before Node hears of it, which gives the connection its next answer, or the time for which it is kept.
    response.prependOnceListener('finish', release);
    // Called when all that was written before it has been taken.
    socket.write('', release);
    socket.pause();
    socket.setTimeout(seconds * 1_000);
  };

  const looking = setInterval(
    () => {
      for (const response of open) {
        const { socket } = response;
        if (socket?.writable && socket.writableLength > 0 && !held.has(response)) hold(response, socket);
      }
    },
    (seconds * 1_000) / LOOKS,
  );
  looking.unref();
  server.once('close', () => clearInterval(looking));
}
