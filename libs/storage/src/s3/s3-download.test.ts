import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ObjectChangedError, StoreUnavailableError } from '../store-errors.js';
import { S3ObjectStore } from './s3-object-store.js';

const KEY = 'transcripts/1/transcript.json';
const IDLE_MS = 200;
/** More than the buffers of both ends of a connection take. */
const LONG = Buffer.alloc(32 * 1024 * 1024, 7);

async function startStore(respond: RequestListener) {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const store = new S3ObjectStore({
    bucket: 'b',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forcePathStyle: true,
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    idleTimeoutMs: IDLE_MS,
    maxAttempts: 1,
  });
  return {
    store,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The first chunk, after which the body waits for its reader. */
async function readFirst(body: Readable): Promise<Buffer> {
  await once(body, 'readable');
  return body.read() as Buffer;
}

describe('a download from S3', () => {
  it('outlasts a reader that pauses for longer than the store may be silent', async () => {
    await using started = await startStore((_, response) => void response.end(LONG));
    const body = await started.store.get(KEY);
    const first = await readFirst(body);
    // The pause itself is what must not count.
    await delay(4 * IDLE_MS);
    const rest = await buffer(body);
    expect(first.length + rest.length).toBe(LONG.length);
  });

  it('is whole for a reader that pauses after the store has sent all of it', async () => {
    const short = LONG.subarray(0, 10_000);
    await using started = await startStore((_, response) => void response.end(short));
    const body = await started.store.get(KEY);
    await once(body, 'readable');
    // The pause itself is what must not count.
    await delay(4 * IDLE_MS);
    expect((await buffer(body)).length).toBe(short.length);
  });

  it.each([
    [404, StoreUnavailableError],
    [412, ObjectChangedError],
    [503, StoreUnavailableError],
  ])('fails when the store stops within the error of a %i', async (status, expected) => {
    await using started = await startStore((_, response) => {
      response.writeHead(status, { 'Content-Length': 1_000 }).write('<Error><Code>');
    });
    await expect(started.store.get(KEY)).rejects.toThrow(expected);
  });

  it('leaves its connection to the next one when its body was read', async () => {
    const ports = new Set<number | undefined>();
    await using started = await startStore(({ socket }, response) => {
      ports.add(socket.remotePort);
      response.end('whole');
    });
    for (let download = 0; download < 3; download += 1)
      expect(String(await buffer(await started.store.get(KEY)))).toBe('whole');
    expect(ports.size).toBe(1);
  });

  it('ends when the store sends nothing more, with the store as the cause', async () => {
    await using started = await startStore((_, response) => {
      response.setHeader('Content-Length', 10).write('half');
    });
    const body = await started.store.get(KEY);
    await expect(buffer(body)).rejects.toThrow(StoreUnavailableError);
  });

  it('ends when the store closes the connection, with the store as the cause', async () => {
    await using started = await startStore((_, response) => {
      response.setHeader('Content-Length', 10).write('half', () => response.destroy());
    });
    await expect(started.store.get(KEY).then(buffer)).rejects.toThrow(StoreUnavailableError);
  });

  it('fails when the store sends no response', async () => {
    await using started = await startStore(() => undefined);
    await expect(started.store.get(KEY)).rejects.toThrow(StoreUnavailableError);
  });

  it('closes its connection when the reader goes away, also before the first byte', async () => {
    const connections = new EventEmitter();
    const closed = once(connections, 'close');
    await using started = await startStore((_, response) => {
      response.on('close', () => connections.emit('close')).end(LONG);
    });
    (await started.store.get(KEY)).destroy();
    await expect(closed).resolves.toEqual([]);
  });
});
