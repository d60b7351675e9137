import { once } from 'node:events';
import { Agent, createServer, get, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { disconnectSlowReaders } from './disconnect-slow-readers.js';

/** Far more than the buffers of a connection hold. */
const SIZE = 24 * 2 ** 20;
/** Soon over for who is to be cut; for who is not, longer than a machine may stand still. */
const [SECONDS, PATIENT] = [0.2, 1.5];

let server: Server;
let agent: Agent;

afterEach(() => {
  agent?.destroy();
  server.closeAllConnections();
  server.close();
});

const everything: RequestListener = (_, response) => void response.end(Buffer.alloc(SIZE));

/** Its port. */
async function serve(listener: RequestListener, seconds = SECONDS): Promise<number> {
  server = createServer(listener);
  disconnectSlowReaders(server, seconds);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The answer that a client gets, unread as yet, and the server's side of its connection. */
async function answerOf(port: number) {
  agent = new Agent({ keepAlive: true });
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const answered = once(get({ host: '127.0.0.1', port, agent }), 'response');
  const [connection] = await connected;
  const [answer] = (await answered) as [NodeJS.ReadableStream];
  return { connection, answer };
}

describe('disconnectSlowReaders', () => {
  it('disconnects a client that does not read', async () => {
    const { connection, answer } = await answerOf(await serve(everything));
    await once(connection, 'close');
    await expect(read(answer)).rejects.toThrow('aborted');
  });

  it.each([
    ['the body of its request', 'Content-Length: 1000000\r\n\r\n'],
    ['the beginning of another', '\r\nGET /'],
  ])('disconnects a client that does not read but keeps sending %s', async (_, rest) => {
    const client = connect(await serve(everything), '127.0.0.1').pause();
    client.on('error', () => undefined);
    client.write(`GET / HTTP/1.1\r\nHost: x\r\n${rest}`);
    const [connection] = (await once(server, 'connection')) as [Socket];
    const dripping = setInterval(() => client.write('x'), (SECONDS * 1_000) / 10);
    await once(connection, 'close').finally(() => clearInterval(dripping));
    expect(connection.destroyed).toBe(true);
    client.destroy();
  });

  it('keeps the connection of a client that reads slowly', async () => {
    const port = await serve(everything, PATIENT);
    const { connection, answer } = await answerOf(port);
    const begun = performance.now();
    expect(await read(answer, 165)).toBe(SIZE);
    // By then who does not read is cut at the latest.
    expect(performance.now() - begun).toBeGreaterThan(2.5 * PATIENT * 1_000);
    await expect.poll(() => connection.timeout).toBeGreaterThanOrEqual(server.keepAliveTimeout);
    const again = get({ host: '127.0.0.1', port, agent });
    const [answered] = (await once(again, 'response')) as [NodeJS.ReadableStream];
    expect([again.reusedSocket, await read(answered)]).toEqual([true, SIZE]);
  });

  it('keeps an idle stream open, even if its client was slow before', async () => {
    let stream: ServerResponse | undefined;
    const beginning = Buffer.alloc(SIZE);
    const port = await serve((_, response) => void (stream = response).write(beginning), PATIENT);
    const { connection, answer } = await answerOf(port);
    await expect.poll(() => connection.isPaused(), { interval: 5 }).toBe(true);
    const reading = read(answer);
    await expect.poll(() => connection.isPaused(), { interval: 5 }).toBe(false);
    expect(connection.timeout).toBe(0);
    stream?.end('.');
    expect(await reading).toBe(SIZE + 1);
  });
});

/** All of it, with a rest of so many milliseconds after each MiB. */
async function read(answer: NodeJS.ReadableStream, restMs = 0): Promise<number> {
  let size = 0;
  for await (const chunk of answer) {
    const before = Math.floor(size / 2 ** 20);
    size += (chunk as Buffer).length;
    if (restMs > 0 && Math.floor(size / 2 ** 20) > before) await pause(restMs);
  }
  return size;
}
