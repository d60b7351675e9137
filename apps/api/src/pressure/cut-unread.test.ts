import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { cutWhenUnread } from './cut-unread.js';

/** Far more than the buffers of a connection hold. */
const SIZE = 64 * 2 ** 20;

let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A server that writes everything at once, and the answer that a client gets from it, unread as yet. */
async function unreadAnswer(seconds: number): Promise<{ connection: Socket; answer: IncomingMessage }> {
  server = createServer((request, response) => {
    response.end(Buffer.alloc(SIZE));
    cutWhenUnread(request.socket, seconds);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const sent = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const [connection] = await connected;
  return { connection, answer };
}

async function read(answer: IncomingMessage): Promise<number> {
  let size = 0;
  for await (const chunk of answer) size += (chunk as Buffer).length;
  return size;
}

describe('cutWhenUnread', () => {
  it('cuts a client that does not read', async () => {
    const { connection, answer } = await unreadAnswer(0.15);
    await once(connection, 'close');
    await expect(read(answer)).rejects.toThrow('aborted');
  });

  it('lets a client read that reads, however long it takes', async () => {
    const { connection, answer } = await unreadAnswer(2);
    expect(await read(answer)).toBe(SIZE);
    expect(connection.destroyed).toBe(false);
  });
});
