import { once } from 'node:events';
import { Agent, createServer, get, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { disconnectSlowReaders } from './disconnect-slow-readers.js';

/** Far more than the buffers of a connection hold. */
const SIZE = 24 * 2 ** 20;
/** Soon over for who is to be cut; for who is not, longer than a machine may stand still. */
const [SHORT_TIMEOUT_SECONDS, LONG_TIMEOUT_SECONDS] = [0.2, 1.5];

let server: Server;
let agent: Agent;

afterEach(() => {
  agent?.destroy();
  server.closeAllConnections();
  server.close();
});

const everything: RequestListener = (_, response) => void response.end(Buffer.alloc(SIZE));

/** Its port. */
async function serve(listener: RequestListener, seconds = SHORT_TIMEOUT_SECONDS): Promise<number> {
  server = createServer(listener);
  disconnectSlowReaders(server, seconds);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The response that a client gets, unread as yet, and the server's side of its connection. */
async function requestResponse(port: number) {
  agent = new Agent({ keepAlive: true });
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const pendingResponse = once(get({ host: '127.0.0.1', port, agent }), 'response');
  const [connection] = await connected;
  const [response] = (await pendingResponse) as [NodeJS.ReadableStream];
  return { connection, response };
}

describe('disconnectSlowReaders', () => {
  it('disconnects a client that does not read', async () => {
    const { connection, response } = await requestResponse(await serve(everything));
    await once(connection, 'close');
    await expect(read(response)).rejects.toThrow('aborted');
  });

  it.each([
    ['the body of its request', 'Content-Length: 1000000\r\n\r\n'],
    ['the beginning of another', '\r\nGET /'],
  ])('disconnects a client that does not read but keeps sending %s', async (_, rest) => {
    const client = connect(await serve(everything), '127.0.0.1').pause();
    client.on('error', () => undefined);
    client.write(`GET / HTTP/1.1\r\nHost: x\r\n${rest}`);
    const [connection] = (await once(server, 'connection')) as [Socket];
    const writeTimer = setInterval(() => client.write('x'), (SHORT_TIMEOUT_SECONDS * 1_000) / 10);
    await once(connection, 'close').finally(() => clearInterval(writeTimer));
    expect(connection.destroyed).toBe(true);
    client.destroy();
  });

  it('keeps the connection of a client that reads slowly', async () => {
    const port = await serve(everything, LONG_TIMEOUT_SECONDS);
    const { connection, response } = await requestResponse(port);
    const startedAt = performance.now();
    expect(await read(response, 165)).toBe(SIZE);
    // By then who does not read is cut at the latest.
    expect(performance.now() - startedAt).toBeGreaterThan(2.5 * LONG_TIMEOUT_SECONDS * 1_000);
    await expect.poll(() => connection.timeout).toBeGreaterThanOrEqual(server.keepAliveTimeout);
    const nextRequest = get({ host: '127.0.0.1', port, agent });
    const [nextResponse] = (await once(nextRequest, 'response')) as [NodeJS.ReadableStream];
    expect([nextRequest.reusedSocket, await read(nextResponse)]).toEqual([true, SIZE]);
  });

  it('keeps an idle stream open, even if its client was slow before', async () => {
    let stream: ServerResponse | undefined;
    const beginning = Buffer.alloc(SIZE);
    const port = await serve(
      (_, response) => void (stream = response).write(beginning),
      LONG_TIMEOUT_SECONDS,
    );
    const { connection, response: body } = await requestResponse(port);
    await expect.poll(() => connection.isPaused(), { interval: 5 }).toBe(true);
    const size = read(body);
    await expect.poll(() => connection.isPaused(), { interval: 5 }).toBe(false);
    expect(connection.timeout).toBe(0);
    stream?.end('.');
    expect(await size).toBe(SIZE + 1);
  });
});

/** Reads all of it, with a pause of the given milliseconds after each MiB. */
async function read(response: NodeJS.ReadableStream, restMs = 0): Promise<number> {
  let size = 0;
  for await (const chunk of response) {
    const mebibytesBefore = Math.floor(size / 2 ** 20);
    size += (chunk as Buffer).length;
    if (restMs > 0 && Math.floor(size / 2 ** 20) > mebibytesBefore) await pause(restMs);
  }
  return size;
}
