import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a database on which nothing passes any more, and nobody is told, once it is blocked; later connections do. */
export async function blockableWay(url: string) {
  const target = new URL(url);
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy());
    }
    sockets.push(near, far);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const way = new URL(url);
  way.port = String((server.address() as { port: number }).port);
  const block = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: way.href, block, close };
}
