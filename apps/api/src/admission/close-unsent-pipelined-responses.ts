import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes the responses of a connection that closes while they wait for an earlier response.
 *
 * Node gives a pipelined response its socket when the response before it has finished. A response without a socket
 * never emits `close`, so what waits for that, such as permits, would be held for good.
 */
export function closeUnsentPipelinedResponses(server: Server): void {
  const openResponses = new WeakMap<Socket, Set<ServerResponse>>();
  const rememberSocket = (socket: Socket): Set<ServerResponse> => {
    const responses = new Set<ServerResponse>();
    openResponses.set(socket, responses);
    socket.once('close', () => {
      for (const response of responses) if (response.socket === null) emitClose(response);
    });
    return responses;
  };
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = openResponses.get(socket) ?? rememberSocket(socket);
    responses.add(response);
    response.once('close', () => responses.delete(response));
  });
}

/** As Node does for a response that has a socket: `closed` reads `_closed`. */
function emitClose(response: ServerResponse): void {
  if (response.closed) return;
  Object.assign(response, { destroyed: true, _closed: true });
  response.emit('close');
}
