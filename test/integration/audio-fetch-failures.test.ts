import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import { inTransaction } from '@app/database';
import { createJobAndEnqueueIfUrl } from '@app/jobs';
import { OutboundClient, OutboundGuard, type Resolver } from '@app/outbound';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FetchStage } from '../../apps/processor/src/fetch/fetch.stage.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { createDnsResolver } from '../../libs/outbound/src/resolver.js';
import { startTestDnsServer } from '../../libs/outbound/src/testing/test-dns-server.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { buildUrlJob } from '../support/new-job.js';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { deadPort, type Receiver, reset, startReceiver, status } from './outbound.receiver.js';

const neverAborted = new AbortController().signal;
const OPTIONS = {
  ...{ audioBytes: 1e9, audioFetchSeconds: 60, audioFetchBytesPerSecond: 0 },
  ...{ diskReserveBytes: 0, storedBytesQuota: 1e12 },
} as ProcessorOptions;
const GET = { method: 'GET', headers: {}, timeoutMs: 10_000, maxResponseBytes: 0 } as const;

let world: World;
let files: ThrowawayStore;
let receiver: Receiver;
beforeAll(async () => {
  [world, files, receiver] = await Promise.all([
    createJobWorld(),
    createThrowawayStore(),
    startReceiver(status(200)),
  ]);
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await receiver.close();
  await files.close();
  await world.close();
});

function createUrlJob(audioUrl: string): Promise<string> {
  return inTransaction(world.dataSource, (tx) =>
    createJobAndEnqueueIfUrl(tx, buildUrlJob({ accountId: world.accountId, audioUrl })),
  );
}

/** Each attempt at the job. */
async function runFetch(id: string, resolver?: Resolver): Promise<string> {
  const guard = new OutboundGuard({ allow: ['127.0.0.1'], ...(resolver && { resolver }) });
  const client = new OutboundClient(guard);
  onTestFinished(() => client.close());
  return runFetchBy(client, id);
}

function runFetchBy(client: OutboundClient, id: string): Promise<string> {
  const fetch = new FetchStage(files.store, client, OPTIONS, world.dataSource);
  return world.run(id, 'fetch', neverAborted, (stage, signal) => fetch.work(stage, signal));
}

const readStage = (id: string) =>
  world.row<{ attempts: number; delay: number; error: string }>(
    `SELECT attempts, round(extract(epoch FROM due_at - now()))::int AS delay, last_error AS error
     FROM job_stage WHERE job_id = $1 AND name = 'fetch'`,
    id,
  );

/** Within the seconds that the test may have taken since. */
const about = (seconds: number) =>
  expect.toSatisfy(
    (delay: number) => delay > seconds - Math.min(10, seconds / 2) && delay <= seconds,
    `about ${seconds}`,
  );

function failConnections(code: string): void {
  vi.spyOn(net, 'connect').mockImplementation(((options: net.TcpNetConnectOpts) => {
    const socket = new net.Socket();
    const error = Object.assign(new Error(`connect ${code}`), { code, address: options.host });
    setImmediate(() => socket.destroy(error));
    return socket;
  }) as never);
}

/** Beside loopback, because addresses of this machine are known for some seconds. */
function setOwnAddress(address: string): void {
  const interfaces = ['127.0.0.1', address].map((each) => [{ address: each } as os.NetworkInterfaceInfo]);
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({ lo: interfaces[0], eth0: interfaces[1] });
}

describe('a fetch that fails because of this machine or its network', () => {
  it.each(['ENETUNREACH', 'EADDRNOTAVAIL', 'EMFILE'])('does not count its attempts at %s', async (code) => {
    const id = await createUrlJob('http://127.0.0.1:1/a.wav');
    failConnections(code);
    for (let attempt = 0; attempt < 4; attempt += 1) expect(await runFetch(id)).toBe('released');
    expect(await readStage(id)).toMatchObject({ attempts: 0, error: expect.stringContaining(code) });
  });

  it('does not count its attempts while the name servers are silent', async () => {
    const id = await createUrlJob('http://recordings.example/a.wav');
    const silent: Resolver = () => Promise.reject(Object.assign(new Error('queryA'), { code: 'ETIMEOUT' }));
    for (let attempt = 0; attempt < 4; attempt += 1) expect(await runFetch(id, silent)).toBe('released');
    expect(await readStage(id)).toMatchObject({ attempts: 0, error: expect.stringMatching(/name server/) });
  });

  it('does not count its attempts while a name server on this machine does not run', async () => {
    const dns = await startTestDnsServer();
    dns.close();
    const id = await createUrlJob('http://recordings.example/a.wav');
    for (let attempt = 0; attempt < 4; attempt += 1)
      expect(await runFetch(id, createDnsResolver(400, [dns.address]))).toBe('released');
    expect(await readStage(id)).toMatchObject({ attempts: 0, error: expect.stringMatching(/name server/) });
  });

  it('does not count its attempts while a resolver on this machine reaches no name server', async () => {
    const dns = await startTestDnsServer();
    onTestFinished(() => dns.close());
    dns.names.set('recordings.example', 'failing').set('', 'failing');
    const id = await createUrlJob('http://recordings.example/a.wav');
    for (let attempt = 0; attempt < 4; attempt += 1)
      expect(await runFetch(id, createDnsResolver(400, [dns.address]))).toBe('released');
    expect(await readStage(id)).toMatchObject({ attempts: 0, error: expect.stringMatching(/name server/) });
  });

  it('does not count its attempts if a server has addresses of both families and this machine IPv4 only', async () => {
    setOwnAddress('192.0.2.2');
    failConnections('ENETUNREACH');
    const id = await createUrlJob('http://recordings.example/a.wav');
    expect(await runFetch(id, async () => ['8.8.8.8', '2606:4700::1111'])).toBe('released');
    expect(await readStage(id)).toMatchObject({ attempts: 0 });
  });

  it('counts the attempt if one of the addresses of the server has refused it', async () => {
    const port = await deadPort();
    const id = await createUrlJob(`http://recordings.example:${port}/a.wav`);
    const connect = net.connect.bind(net) as (options: net.NetConnectOpts) => net.Socket;
    vi.spyOn(net, 'connect').mockImplementation(((options: net.TcpNetConnectOpts) => {
      if (options.host === '127.0.0.1') return connect(options);
      const socket = new net.Socket();
      setImmediate(() => socket.destroy(Object.assign(new Error('unreachable'), { code: 'ENETUNREACH' })));
      return socket;
    }) as never);
    expect(await runFetch(id, async () => ['127.0.0.1', '8.8.8.8'])).toBe('released');
    expect(await readStage(id)).toMatchObject({ attempts: 1, error: expect.stringContaining('refused') });
  });
});

describe('a fetch that fails because of the other server', () => {
  it('is repeated after 5 and after 30 seconds, and then fails with what the server answered', async () => {
    const id = await createUrlJob(`${receiver.url}/a.wav`);
    receiver.answer = reset;
    expect(await runFetch(id)).toBe('released');
    expect(await readStage(id)).toMatchObject({ attempts: 1, delay: about(5) });
    receiver.answer = status(503);
    expect(await runFetch(id)).toBe('released');
    expect(await readStage(id)).toMatchObject({ attempts: 2, delay: about(30) });
    expect(await runFetch(id)).toBe('failed');
    expect(await world.row('SELECT failed_stage, reason FROM job WHERE id = $1', id)).toEqual({
      failed_stage: 'preprocess',
      reason: 'The audio could not be fetched: the server answered 503.',
    });
  });

  it('is repeated after 5 seconds, however often its processor crashed before', async () => {
    const id = await createUrlJob(`${receiver.url}/a.wav`);
    await world.row('UPDATE job_stage SET attempts = 2, crashes = 2 WHERE job_id = $1 RETURNING name', id);
    receiver.answer = status(503);
    expect(await runFetch(id)).toBe('released');
    expect(await readStage(id)).toMatchObject({ attempts: 3, delay: about(5) });
  });

  it.each([
    ['120', 120],
    ['1', 5],
    ['86400', 3_600],
    [new Date(Date.now() + 10 * 60_000).toUTCString(), 600],
  ])('is repeated after what the server asks for, within bounds: %s', async (retryAfter, seconds) => {
    const id = await createUrlJob(`${receiver.url}/a.wav`);
    receiver.answer = status(429, { 'retry-after': retryAfter });
    expect(await runFetch(id)).toBe('released');
    expect(await readStage(id)).toMatchObject({ attempts: 1, delay: about(seconds) });
  });

  it('counts the attempts at a host that is unreachable', async () => {
    const id = await createUrlJob('http://127.0.0.1:1/a.wav');
    failConnections('EHOSTUNREACH');
    expect(await runFetch(id)).toBe('released');
    expect(await readStage(id)).toMatchObject({ attempts: 1, delay: about(5) });
  });

  it.each([
    ['counts', '127.0.0.2', 1],
    ['does not count', '127.0.0.1', 0],
  ])(
    '%s the attempt at a network that is unreachable after a connection to %s',
    async (_, connected, attempts) => {
      // Of loopback, only 127.0.0.1 is an address of this machine's interfaces.
      const other = http.createServer((_request, response) => response.end()).listen(0, connected);
      await once(other, 'listening');
      onTestFinished(() => void other.close());
      const client = new OutboundClient(new OutboundGuard({ allow: ['127.0.0.0/8'] }));
      onTestFinished(() => client.close());
      const { port } = other.address() as net.AddressInfo;
      await client.request({ ...GET, url: `http://${connected}:${port}/` });
      const id = await createUrlJob('http://127.0.0.3:1/a.wav');
      failConnections('ENETUNREACH');
      expect(await runFetchBy(client, id)).toBe('released');
      expect(await readStage(id)).toMatchObject({ attempts });
    },
  );

  it.each([
    ['8.8.8.8', 'IPv6', '2606:4700::1111'],
    ['2606:4700::1111', 'IPv4', '192.0.2.2'],
  ])('counts the attempt at %s on a machine with %s only', async (address, _, own) => {
    setOwnAddress(own);
    failConnections('ENETUNREACH');
    const id = await createUrlJob('http://recordings.example/a.wav');
    expect(await runFetch(id, async () => [address])).toBe('released');
    expect(await readStage(id)).toMatchObject({ attempts: 1 });
  });

  it('counts the attempts at a name that is not answered while the name servers respond', async () => {
    const dns = await startTestDnsServer();
    onTestFinished(() => dns.close());
    dns.names.set('recordings.example', 'silent');
    const id = await createUrlJob('http://recordings.example/a.wav');
    expect(await runFetch(id, createDnsResolver(400, [dns.address]))).toBe('released');
    expect(await readStage(id)).toMatchObject({ attempts: 1, delay: about(5) });
  });

  it('counts the attempts at a name that does not exist', async () => {
    const id = await createUrlJob('http://recordings.example/a.wav');
    expect(await runFetch(id, async () => [])).toBe('released');
    expect(await readStage(id)).toMatchObject({ attempts: 1 });
  });
});
