import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createObjectStore, type ObjectStore, type S3StoreOptions } from '@app/storage';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy.js';

const KEY = 'results/one.json';
const CONNECTIONS = 4;

/**
 * Responds to the first HEAD requests when all have arrived, so that each has its own connection, and sends half of
 * the body of a GET.
 */
let server: Server;
let proxy: FaultProxy;
let store: ObjectStore;

function openStore(options: Pick<S3StoreOptions, 'idleTimeoutMs' | 'maxAttempts'>): Promise<ObjectStore> {
  return createObjectStore({
    kind: 's3',
    bucket: 'b',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${proxy.port}`,
    forcePathStyle: true,
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    ...options,
  });
}

beforeEach(async () => {
  const waiting: ServerResponse[] = [];
  let headRequests = 0;
  server = createServer(({ method }, response) => {
    if (method === 'GET') return void response.setHeader('Content-Length', 2).write('a');
    headRequests += 1;
    waiting.push(response.setHeader('ETag', '"e"').setHeader('Content-Length', 1));
    if (headRequests >= CONNECTIONS) for (const pending of waiting.splice(0)) pending.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await startFaultProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  store = await openStore({ idleTimeoutMs: 1_500, maxAttempts: 2 });
  await Promise.all(Array.from({ length: CONNECTIONS }, () => store.head(KEY)));
});
afterEach(async () => {
  await store.close();
  proxy.close();
  server.closeAllConnections();
  server.close();
});

describe('store connections that stopped answering', () => {
  it('a request loses one attempt, however many dead connections there are', async () => {
    proxy.dropTraffic();
    expect(await store.head(KEY)).toMatchObject({ size: 1 });
  });
});

describe('a download from a store that stopped sending', () => {
  it('an abort ends the download at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'silent-store-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const patient = await openStore({ idleTimeoutMs: 600_000 });
    onTestFinished(() => patient.close());
    const stop = new AbortController();
    const ended = patient
      .fetchToFile(KEY, join(folder, 'a'), { signal: stop.signal })
      .catch((error: unknown) => error);
    await expect.poll(async () => (await readdir(folder)).length).toBe(1);
    const reason = new Error('stopped');
    stop.abort(reason);
    expect(await ended).toBe(reason);
    expect(await readdir(folder)).toEqual([]);
  });
});
