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
 * Answers HEAD requests; the first ones only together, so that each has its own connection. A GET sends half of
 * its body.
 */
let server: Server;
let way: FaultProxy;
let store: ObjectStore;

function open(patience: Pick<S3StoreOptions, 'idleTimeoutMs' | 'maxAttempts'>): Promise<ObjectStore> {
  return createObjectStore({
    kind: 's3',
    bucket: 'b',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${way.port}`,
    forcePathStyle: true,
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    ...patience,
  });
}

beforeEach(async () => {
  const waiting: ServerResponse[] = [];
  let met = 0;
  server = createServer(({ method }, response) => {
    if (method === 'GET') return void response.setHeader('Content-Length', 2).write('a');
    met += 1;
    waiting.push(response.setHeader('ETag', '"e"').setHeader('Content-Length', 1));
    if (met >= CONNECTIONS) for (const each of waiting.splice(0)) each.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  way = await startFaultProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  store = await open({ idleTimeoutMs: 1_500, maxAttempts: 2 });
  await Promise.all(Array.from({ length: CONNECTIONS }, () => store.head(KEY)));
});
afterEach(async () => {
  await store.close();
  way.close();
  server.closeAllConnections();
  server.close();
});

describe('store connections that stopped answering', () => {
  it('a request loses one attempt, however many dead connections there are', async () => {
    way.dropTraffic();
    expect(await store.head(KEY)).toMatchObject({ size: 1 });
  });
});

describe('a download from a store that stopped sending', () => {
  it('an abort ends the download at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'silent-store-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const patient = await open({ idleTimeoutMs: 600_000 });
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
