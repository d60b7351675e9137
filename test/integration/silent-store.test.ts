import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createObjectStore, type ObjectStore } from '@app/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWay, type TcpWay } from '../support/tcp-way.js';

const KEY = 'results/one.json';
const CONNECTIONS = 4;

/** Answers every question after a stored object; those of a first round only when all of it is there. */
let server: Server;
let way: TcpWay;
let store: ObjectStore;

beforeEach(async () => {
  const waiting: ServerResponse[] = [];
  let met = 0;
  server = createServer((_, response) => {
    met += 1;
    waiting.push(response.setHeader('ETag', '"e"').setHeader('Content-Length', 1));
    if (met >= CONNECTIONS) for (const each of waiting.splice(0)) each.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  way = await openWay({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  store = await createObjectStore({
    kind: 's3',
    bucket: 'b',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${way.port}`,
    forcePathStyle: true,
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    idleTimeoutMs: 1_500,
    maxAttempts: 2,
  });
  await Promise.all(Array.from({ length: CONNECTIONS }, () => store.head(KEY)));
});
afterEach(async () => {
  await store.close();
  way.close();
  server.closeAllConnections();
  server.close();
});

describe('connections to a store that were cut without a word', () => {
  it('cost a request one attempt, however many there are', async () => {
    way.block();
    expect(await store.head(KEY)).toMatchObject({ size: 1 });
  });
});
