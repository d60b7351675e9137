import { buffer } from 'node:stream/consumers';
import {
  AudioFetchError,
  type FetchAudioOptions,
  OutboundClient,
  OutboundGuard,
  type Resolver,
} from '@app/outbound';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  deadPort,
  hang,
  type Receiver,
  reset,
  SHORT_MS,
  startReceiver,
  status,
  until,
} from './outbound.receiver.js';

let receiver: Receiver;
let client: OutboundClient;

beforeEach(async () => {
  receiver = await startReceiver(status(200, {}, 'sound'));
  client = new OutboundClient(new OutboundGuard({ allow: ['127.0.0.1'] }));
});
afterEach(async () => {
  await client.close();
  await receiver.close();
});

async function fetchBytes(url: string, more: Partial<FetchAudioOptions> = {}): Promise<Buffer> {
  const { body } = await client.fetchAudio(url, { maxBytes: 1_000_000, ...more });
  return buffer(body);
}

describe('fetchAudio', () => {
  it('the response has a body and its content length', async () => {
    receiver.answer = (_, response) => response.writeHead(200, { 'content-length': '5' }).end('sound');
    const { body, contentLength } = await client.fetchAudio(receiver.url, { maxBytes: 5 });
    expect(contentLength).toBe(5);
    expect(await buffer(body)).toEqual(Buffer.from('sound'));
    expect(receiver.received[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('a large body is streamed with backpressure', async () => {
    const [block, blocks] = [Buffer.alloc(1024 * 1024, 7), 64];
    let paused = 0;
    receiver.answer = (_, response) => {
      let remaining = blocks;
      const more = () => {
        while (remaining-- > 0) {
          if (response.write(block)) continue;
          paused += 1;
          return response.once('drain', more);
        }
        return response.end();
      };
      more();
    };
    const { body } = await client.fetchAudio(receiver.url, { maxBytes: blocks * block.length });
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) size += chunk.length;
    expect(size).toBe(blocks * block.length);
    expect(paused).toBeGreaterThan(blocks / 4);
  });

  it('redirects are followed, also relative ones', async () => {
    receiver.answer = ({ url }, response) => {
      const hop = Number(url?.slice(1));
      if (hop < 5) response.writeHead(302, { location: String(hop + 1) }).end();
      else response.end('sound');
    };
    expect((await fetchBytes(`${receiver.url}/0`)).toString()).toBe('sound');
    expect(receiver.received.map(({ path }) => path)).toEqual(['/0', '/1', '/2', '/3', '/4', '/5']);
  });

  it.each([
    ['a sixth redirect', status(302, { location: '/again' }), /redirected more than 5 times\.$/, false],
    ['a redirect without a location', status(301), /answered 301 without saying where to\.$/, false],
    ['a 404', status(404), /could not be fetched: the server answered 404\.$/, false],
    ['a 503', status(503), /the server answered 503\.$/, true],
    ['a 206', status(206, {}, 'sou'), /the server answered 206\.$/, false],
    ['a 304', status(304), /the server answered 304\.$/, false],
    [
      'a redirect to a private address',
      status(302, { location: 'http://10.0.0.1/' }),
      /public addresses only\.$/,
      false,
    ],
    [
      'a redirect to a private IPv6 address',
      status(307, { location: 'http://[::1]:1/' }),
      /public addresses only\.$/,
      false,
    ],
    ['a redirect to a file', status(302, { location: 'file:///etc/passwd' }), /http or https URL\.$/, false],
    ['a redirect with credentials', status(302, { location: 'http://a:b@127.0.0.1/' }), /user name/, false],
    ['a content encoding', status(200, { 'content-encoding': 'gzip' }, 'x'), /encoding/, false],
    ['a reset', reset, /the connection was cut\.$/, true],
    ['a timeout', hang, /it timed out\.$/, true],
  ] as const)('the fetch fails on %s', async (_, answer, message, retryable) => {
    receiver.answer = answer;
    const timeouts = answer === hang ? { headersMs: SHORT_MS } : undefined;
    const failed = await fetchBytes(receiver.url, { timeouts }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(AudioFetchError);
    expect(failed).toMatchObject({ message: expect.stringMatching(message), retryable });
    expect(String(failed)).not.toMatch(/127\.0\.0\.1|10\.0\.0\.1|ECONN|UND_ERR/);
  });

  it('no request is sent after the fifth redirect', async () => {
    receiver.answer = status(302, { location: '/again' });
    await expect(fetchBytes(receiver.url)).rejects.toMatchObject({ kind: 'redirects' });
    expect(receiver.received).toHaveLength(6);
  });

  it('the fetch fails when the connection is refused', async () => {
    const failed = fetchBytes(`http://127.0.0.1:${await deadPort()}/`);
    await expect(failed).rejects.toMatchObject({
      message: expect.stringMatching(/connection was refused\.$/),
    });
  });

  it('a content length over the limit is rejected before the body is read', async () => {
    receiver.answer = (_, response) => response.writeHead(200, { 'content-length': '11' }).write('x');
    await expect(client.fetchAudio(receiver.url, { maxBytes: 10 })).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringMatching(/larger than 10 bytes/),
    });
  });

  it('a body that grows over the limit is aborted and its connection closed', async () => {
    let closed = false;
    receiver.answer = (_, response) => {
      response.on('close', () => (closed = true));
      response.write('0123456789');
      response.write('0');
    };
    await expect(fetchBytes(receiver.url, { maxBytes: 10 })).rejects.toMatchObject({ kind: 'too_large' });
    await until(() => closed);
  });

  it.each([
    ['ends early', (socketEnd: () => void) => socketEnd(), undefined, 'connection'],
    ['stops arriving', () => undefined, { idleMs: 300 }, 'timeout'],
  ] as const)('the fetch fails when the body %s', async (_, act, timeouts, kind) => {
    receiver.answer = ({ socket }, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('begun', () => act(() => socket.destroy()));
    };
    const fetched = fetchBytes(receiver.url, { timeouts });
    await expect(fetched).rejects.toMatchObject({ name: 'AudioFetchError', kind });
  });

  it('a slow body is aborted at the total timeout', async () => {
    receiver.answer = (_, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    };
    const fetched = fetchBytes(receiver.url, { timeouts: { totalMs: 500, idleMs: 5_000 } });
    await expect(fetched).rejects.toMatchObject({ name: 'AudioFetchError', kind: 'timeout' });
  });

  it('the abort signal stops the fetch before and during the body', async () => {
    const reason = new Error('the lease is gone');
    const early = new AbortController();
    receiver.answer = hang;
    const waiting = fetchBytes(receiver.url, { signal: early.signal });
    await until(() => receiver.received.length === 1);
    early.abort(reason);
    await expect(waiting).rejects.toBe(reason);

    const controller = new AbortController();
    let closed = false;
    receiver.answer = (_, response) => {
      response.on('close', () => (closed = true));
      response.write('begun');
    };
    const { body } = await client.fetchAudio(receiver.url, { maxBytes: 10, signal: controller.signal });
    controller.abort(reason);
    await expect(buffer(body)).rejects.toBe(reason);
    await until(() => closed);
  });

  it('the connection closes when the reader destroys the body', async () => {
    let closed = false;
    receiver.answer = (_, response) => {
      response.on('close', () => (closed = true));
      response.write('begun');
    };
    const { body } = await client.fetchAudio(receiver.url, { maxBytes: 10 });
    body.destroy();
    await until(() => closed);
  });

  it('the host name of every redirect is resolved and checked', async () => {
    const resolvedNames: string[] = [];
    const resolver: Resolver = async (name) => {
      resolvedNames.push(name);
      return name === 'inside.example' ? ['10.0.0.1'] : ['127.0.0.1'];
    };
    const redirectedClient = new OutboundClient(new OutboundGuard({ allow: ['127.0.0.1'], resolver }));
    receiver.answer = status(302, { location: 'http://inside.example/a.wav' });
    const fetched = redirectedClient.fetchAudio(`http://outside.example:${receiver.port}/`, { maxBytes: 10 });
    await expect(fetched).rejects.toMatchObject({ kind: 'blocked' });
    expect(resolvedNames).toEqual(['outside.example', 'inside.example']);
    await redirectedClient.close();
  });

  it.each([
    [
      'cannot be resolved because the name servers do not respond',
      [],
      () => Promise.reject(new Error('queryA ETIMEOUT')),
    ],
    ['does not exist', [], async () => []],
    ['does not exist, although it is allowed', ['recordings.example'], async () => []],
    ['resolves to a private address', [], async () => ['10.0.0.1']],
  ] satisfies [string, string[], Resolver][])(
    'the failure is retryable when a host name %s',
    async (_, allow, resolver) => {
      const unresolvedClient = new OutboundClient(new OutboundGuard({ allow, resolver }));
      const fetched = unresolvedClient.fetchAudio('http://recordings.example:1/', { maxBytes: 10 });
      await expect(fetched).rejects.toMatchObject({
        kind: 'blocked',
        message: expect.stringMatching(/public addresses only\.$/),
        retryable: true,
      });
      await unresolvedClient.close();
    },
  );
});
