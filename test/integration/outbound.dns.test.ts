import { OutboundClient, OutboundGuard } from '@app/outbound';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDnsResolver } from '../../libs/outbound/src/resolver.js';
import { type TestDnsServer, startTestDnsServer } from '../../libs/outbound/src/testing/test-dns-server.js';
import { type Receiver, startReceiver, status } from './outbound.receiver.js';

const NAME = 'hooks.example';

let dns: TestDnsServer;
let receiver: Receiver;
let client: OutboundClient;
let guard: OutboundGuard;

beforeEach(async () => {
  [dns, receiver] = await Promise.all([startTestDnsServer(), startReceiver(status(200))]);
  // Loopback stands for a public address, and a documentation network for an allowed address that does not answer.
  createClient(['127.0.0.1']);
});
afterEach(async () => {
  await client.close();
  await receiver.close();
  dns.close();
});

function createClient(allow: string[]): void {
  // A long timeout, because the resolver repeats queries after half of it, and queries are counted here.
  guard = new OutboundGuard({ allow, resolver: createDnsResolver(60_000, [dns.address]) });
  client = new OutboundClient(guard, { connectTimeoutMs: 60_000 });
}

const url = () => `http://${NAME}:${receiver.port}/`;
const post = () =>
  client.request({ url: url(), method: 'POST', headers: {}, timeoutMs: 30_000, maxResponseBytes: 100 });

describe('a host name whose DNS answers change', () => {
  it('the connection uses the address that was checked, without a second lookup', async () => {
    dns.names.set(NAME, (before) => (before === 0 ? ['127.0.0.1'] : ['127.0.0.2']));
    await expect(post()).resolves.toMatchObject({ status: 200 });
    expect(dns.lookupCount(NAME)).toBe(1);
    expect(receiver.received.map(({ headers }) => headers.host)).toEqual([`${NAME}:${receiver.port}`]);
  });

  it('each request resolves the name again, and a private address is rejected', async () => {
    createClient(['192.0.2.0/24']);
    dns.names.set(NAME, (before) => (before === 0 ? ['192.0.2.1'] : ['127.0.0.1']));
    await expect(guard.assertPublic(url())).resolves.toBeUndefined();
    await expect(post()).rejects.toMatchObject({ kind: 'blocked' });
    expect(dns.lookupCount(NAME)).toBe(2);
    expect(receiver.connections).toBe(0);
  });

  it.each([
    ['a private address among public ones', ['8.8.8.8', '10.0.0.1']],
    ['a public address and loopback', ['8.8.8.8', '127.0.0.2']],
    ['a public IPv4 address and a private IPv6 address', ['8.8.8.8', 'fd00::1']],
    ['a public address and an IPv4-mapped private one', ['8.8.8.8', '::ffff:127.0.0.2']],
    ['the metadata address of a cloud', ['169.254.169.254']],
  ])('the guard and the connection reject a name with %s', async (_, addresses) => {
    dns.names.set(NAME, addresses);
    await expect(guard.assertPublic(url())).rejects.toThrow('public addresses only');
    await expect(post()).rejects.toMatchObject({ kind: 'blocked' });
    expect(receiver.connections).toBe(0);
  });
});
