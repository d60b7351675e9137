import { createSocket, type Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OutboundGuard } from './outbound-guard.js';
import { dnsResolver, firstOf, type Resolver, systemResolver } from './resolver.js';

const NAMES: Record<string, string[] | 'silent'> = {
  'both.example': ['8.8.8.8', '1.1.1.1', '2606:4700::1111'],
  'four.example': ['8.8.8.8'],
  'six.example': ['2606:4700::1111'],
  'mixed.example': ['8.8.8.8', '10.0.0.1'],
  'silent.example': 'silent',
};
const [TYPE_A, TYPE_AAAA] = [1, 28];

let server: Socket;
let resolver: Resolver;

/** The name in a question, and where the question ends. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(query: Buffer): Buffer | undefined {
  const { name, type, end } = readQuestion(query);
  const known = NAMES[name];
  if (known === 'silent') return undefined;
  const fitting = (known ?? []).filter((address) => type === (isIPv4(address) ? TYPE_A : TYPE_AAAA));
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(fitting.length, 6);
  header.fill(0, 8);
  const records = fitting.map((address) => {
    const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([header, query.subarray(12, end), ...records]);
}

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const answer = answerTo(query);
    if (answer) server.send(answer, port, address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  resolver = dnsResolver(400, [`127.0.0.1:${server.address().port}`]);
});
afterAll(() => {
  server.close();
});

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
    await expect(resolver('silent.example')).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('lets the guard see every address', async () => {
    const guard = new OutboundGuard({ allow: [], resolver });
    await expect(guard.assertPublic('http://both.example/')).resolves.toBeUndefined();
    await expect(guard.assertPublic('http://mixed.example/')).rejects.toThrow('public addresses only');
    await expect(guard.assertPublic('http://silent.example/')).rejects.toThrow('public addresses only');
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
    await expect(firstOf(resolver, last)('silent.example')).rejects.toThrow();
    expect(last).toHaveBeenCalledTimes(1);
  });
});
