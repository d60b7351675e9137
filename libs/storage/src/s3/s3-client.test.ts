import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { S3ObjectStore } from './s3-object-store.js';

const BODY = Buffer.from('sound');
/** More than would be sent at once with as many sockets as the SDK has by default. */
const BODIES = 100;
/** Failed attempts of so many use up the retries of a client. */
const FAILING_BODIES = 150;

async function startStore(respond: RequestListener, maxAttempts: number) {
  const server = createServer((request, response) => {
    request.resume().once('end', () => respond(request, response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const store = new S3ObjectStore({
    bucket: 'b',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forcePathStyle: true,
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    maxAttempts,
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

const putAll = (store: S3ObjectStore, count: number) =>
  Promise.allSettled(
    Array.from({ length: count }, (_, index) => store.put(`audio/${index}`, BODY, 'audio/wav')),
  );

it('bodies that the store takes slowly neither fail nor delay other requests', async () => {
  const held: ServerResponse[] = [];
  await using started = await startStore(({ method }, response) => {
    if (method === 'PUT') held.push(response);
    else response.end();
  }, 1);
  const sent = putAll(started.store, BODIES);
  await expect.poll(() => held.length, { timeout: 10_000 }).toBe(BODIES);
  await expect(started.store.ping()).resolves.toBeUndefined();
  for (const response of held) response.setHeader('ETag', '"e"').end();
  expect((await sent).filter(({ status }) => status === 'rejected')).toEqual([]);
});

it('other requests are repeated after many bodies have failed', async () => {
  let asked = 0;
  await using started = await startStore(({ method }, response) => {
    const isRefused = method === 'PUT' || (asked += 1) === 1;
    response.writeHead(isRefused ? 500 : 200).end();
  }, 2);
  await putAll(started.store, FAILING_BODIES);
  await expect(started.store.head('audio/0')).resolves.toMatchObject({ key: 'audio/0' });
});
