import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type NameServer, startNameServer } from '../testing/name-server.js';
import { OutboundGuard } from './outbound-guard.js';
import { dnsResolver, firstOf, type Resolver, systemResolver } from './resolver.js';

let server: NameServer;
let resolver: Resolver;
/** Gives up soon. */
let impatient: Resolver;

beforeAll(async () => {
  server = await startNameServer();
  server.names
    .set('both.example', ['8.8.8.8', '1.1.1.1', '2606:4700::1111'])
    .set('four.example', ['8.8.8.8'])
    .set('six.example', ['2606:4700::1111'])
    .set('mixed.example', ['8.8.8.8', '10.0.0.1'])
    .set('mixed-kinds.example', ['8.8.8.8', '::ffff:10.0.0.1'])
    .set('silent.example', 'silent');
  resolver = dnsResolver(20_000, [server.address]);
  impatient = dnsResolver(400, [server.address]);
});
afterAll(() => server?.close());

describe('dnsResolver', () => {
  it('finds the addresses of both kinds', async () => {
    expect((await resolver('both.example')).toSorted()).toEqual(['1.1.1.1', '2606:4700::1111', '8.8.8.8']);
    expect(await resolver('four.example')).toEqual(['8.8.8.8']);
    expect(await resolver('six.example')).toEqual(['2606:4700::1111']);
  });

  it('finds none for a name that does not exist', async () => {
    expect(await resolver('absent.example')).toEqual([]);
  });

  it('gives up on silence in time', async () => {
    const began = performance.now();
    await expect(impatient('silent.example')).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('lets the guard see every address', async () => {
    const guard = new OutboundGuard({ allow: [], resolver });
    await expect(guard.assertPublic('http://both.example/')).resolves.toBeUndefined();
    for (const name of ['mixed', 'mixed-kinds'])
      await expect(guard.assertPublic(`http://${name}.example/`)).rejects.toThrow('public addresses only');
    const waiting = new OutboundGuard({ allow: [], resolver: impatient }).assertPublic(
      'http://silent.example/',
    );
    await expect(waiting).rejects.toThrow('public addresses only');
  });
});

describe('systemResolver', () => {
  it('knows the names of this machine, and none for strangers', async () => {
    expect(await systemResolver(2_000)('localhost')).toEqual(expect.arrayContaining(['127.0.0.1']));
    expect(await systemResolver(2_000)('no-such-name.invalid')).toEqual([]);
  });
});

describe('firstOf', () => {
  it('asks on after an empty answer, but not after silence', async () => {
    const last = vi.fn(async () => ['8.8.8.8']);
    expect(await firstOf(resolver, last)('absent.example')).toEqual(['8.8.8.8']);
    expect(await firstOf(resolver, last)('four.example')).toEqual(['8.8.8.8']);
    expect(last).toHaveBeenCalledTimes(1);
    await expect(firstOf(impatient, last)('silent.example')).rejects.toThrow();
    expect(last).toHaveBeenCalledTimes(1);
  });
});
