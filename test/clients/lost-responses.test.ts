import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Service } from '../e2e/support/service.js';
import type { Fault, ForwardedRequest, PublicProxy } from './support/public-proxy.js';
import { makeRecording } from './support/recordings.js';
import { ServiceBehindProxy } from './support/service-behind-proxy.js';

const MIB = 2 ** 20;

interface Client {
  submit(input: Uint8Array | URL, options?: object): Promise<{ job_id: string }>;
  jobs: {
    wait(id: string): Promise<{ status: string }>;
    list(): AsyncIterable<{ job_id: string }>;
    stream(id: string, options: object): AsyncIterable<{ event: string; id?: string }>;
  };
}

let installation: ServiceBehindProxy;
let proxy: PublicProxy;
let service: Service;
let small: Uint8Array;
let large: Uint8Array;

beforeAll(async () => {
  installation = await ServiceBehindProxy.start({ OUTBOUND_ALLOW: '127.0.0.1' });
  ({ proxy, service } = installation);
  [small, large] = await Promise.all([makeRecording(), makeRecording(6 * MIB)]);
  proxy.files.set('/talk.wav', { type: 'audio/wav', content: small });
});
afterAll(() => installation?.stop());

/** A client of a new account. */
async function openClient(): Promise<Client> {
  const path = join(inject('installedPackages'), 'node_modules', 'zephyr-client', 'dist', 'index.js');
  const { Zephyr } = (await import(pathToFileURL(path).href)) as { Zephyr: new (options: object) => Client };
  return new Zephyr({ baseUrl: proxy.url, apiKey: (await service.openAccount(1_000_000)).api_key });
}

/** Does this once, to the first request that fits. @returns the requests that fit */
function disturbFirst(fault: Fault, isMeant: (request: ForwardedRequest) => boolean): ForwardedRequest[] {
  const requests: ForwardedRequest[] = [];
  proxy.chooseFault = (request) => {
    if (!isMeant(request)) return 'none';
    requests.push(request);
    return requests.length === 1 ? fault : 'none';
  };
  return requests;
}

async function listIds(client: Client): Promise<string[]> {
  const ids = [];
  for await (const { job_id: id } of client.jobs.list()) ids.push(id);
  return ids;
}

describe('the packed client, when a response is lost', () => {
  it.each([
    ['a file', '/api/v1/upload', (client: Client) => client.submit(small)],
    [
      'a file in parts',
      '/api/v1/upload/multipart/create',
      (client: Client) => client.submit(large, { partSize: 5 * MIB }),
    ],
    ['an address', '/api/v1/upload', (client: Client) => client.submit(new URL(`${proxy.url}/talk.wav`))],
  ])('makes one job of %s by the key that it adds to the create itself', async (_, path, submit) => {
    const client = await openClient();
    const creates = disturbFirst('lose-response', (request) => request.path === path);
    const { job_id: id } = await submit(client);
    expect((await client.jobs.wait(id)).status).toBe('completed');
    expect(await listIds(client)).toEqual([id]);
    const keys = creates.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[\w-]{20,}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it('makes a job for each call, because each has a key of its own', async () => {
    const client = await openClient();
    const creates = disturbFirst('none', ({ path }) => path === '/api/v1/upload');
    const { job_id: first } = await client.submit(small);
    const { job_id: second } = await client.submit(small);
    expect((await listIds(client)).toSorted()).toEqual([first, second].toSorted());
    expect(new Set(creates.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  });

  it('queues one job when it has to repeat the complete', async () => {
    const client = await openClient();
    const completes = disturbFirst('lose-response', ({ path }) => path.endsWith('/complete'));
    const { job_id: id } = await client.submit(small);
    expect(completes).toHaveLength(2);
    expect((await client.jobs.wait(id)).status).toBe('completed');
  });

  it('continues a stream that broke off after the last event that it has seen', async () => {
    const client = await openClient();
    const { job_id: id } = await client.submit(small);
    await client.jobs.wait(id);
    const collect = async () => {
      const events = [];
      for await (const { event, id: eventId } of client.jobs.stream(id, { lastEventId: '0' }))
        events.push([event, eventId]);
      return events;
    };
    const whole = await collect();
    const connections = disturbFirst({ cutAfter: '\n\n' }, ({ path }) => path.endsWith('/stream'));
    expect(await collect()).toEqual(whole);
    expect(whole.length).toBeGreaterThan(1);
    expect(connections.map(({ headers }) => headers['last-event-id'])).toEqual(['0', whole[0]?.[1]]);
  });
});
