import {
  SsrfBlockedError,
  createGuardedAgent,
  OutboundClient,
  OutboundGuard,
  type OutboundRequest,
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
const clients: OutboundClient[] = [];

beforeEach(async () => {
  receiver = await startReceiver(status(200, {}, 'ok'));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await receiver.close();
});

function createClient(allow: string[], resolver?: Resolver): OutboundClient {
  const client = new OutboundClient(new OutboundGuard({ allow, resolver }));
  clients.push(client);
  return client;
}

function createPost(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    url,
    method: 'POST',
    headers: { 'x-test': 'yes' },
    body: Buffer.from('{"a":"ä"}'),
    timeoutMs: 30_000,
    maxResponseBytes: 100,
    ...more,
  };
}

describe('OutboundClient.request', () => {
  it('the request sends the exact bytes and headers and returns status and body', async () => {
    const response = await createClient(['127.0.0.1']).request(createPost(`${receiver.url}/a?b=c`));
    expect(response).toEqual({ status: 200, body: Buffer.from('ok') });
    const [request] = receiver.received;
    expect(request).toMatchObject({ method: 'POST', path: '/a?b=c', body: Buffer.from('{"a":"ä"}') });
    expect(request?.headers).toMatchObject({ 'x-test': 'yes', host: `127.0.0.1:${receiver.port}` });
  });

  it('the request keeps the name in the Host header and connects to the checked address', async () => {
    const client = createClient(['127.0.0.1'], async () => ['127.0.0.1']);
    await client.request(createPost(`http://hooks.example:${receiver.port}/`));
    expect(receiver.received[0]?.headers.host).toBe(`hooks.example:${receiver.port}`);
  });

  it('the next address is tried when the first one does not answer', async () => {
    const client = createClient(['127.0.0.0/8', '::1'], async () => ['::1', '127.0.0.1']);
    await expect(client.request(createPost(`http://hooks.example:${receiver.port}/`))).resolves.toMatchObject(
      {
        status: 200,
      },
    );
  });

  it('every request opens its own connection after a new check', async () => {
    let lookups = 0;
    const client = createClient(['127.0.0.1'], async () => {
      lookups += 1;
      return ['127.0.0.1'];
    });
    for (const path of ['a', 'b', 'c'])
      await client.request(createPost(`http://hooks.example:${receiver.port}/${path}`));
    expect({ lookups, connections: receiver.connections }).toEqual({ lookups: 3, connections: 3 });
  });

  it('a response that is too long is truncated', async () => {
    receiver.answer = (_, response) => {
      response.on('error', () => undefined);
      const more = () => response.write(Buffer.alloc(64 * 1024)) && setImmediate(more);
      response.on('drain', more);
      more();
    };
    const { status: code, body } = await createClient(['127.0.0.1']).request(createPost(receiver.url));
    expect([code, body.length]).toEqual([200, 100]);
  });

  it('a status is returned although the body never ends', async () => {
    receiver.answer = (_, response) => response.writeHead(204 + 1).write('begun');
    const response = await createClient(['127.0.0.1']).request(
      createPost(receiver.url, { timeoutMs: SHORT_MS }),
    );
    expect(response).toEqual({ status: 205, body: Buffer.from('begun') });
  });

  it('a redirect is not followed', async () => {
    receiver.answer = status(302, { location: '/elsewhere' });
    await expect(createClient(['127.0.0.1']).request(createPost(receiver.url))).resolves.toMatchObject({
      status: 302,
    });
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    ['hangs', hang, 'timeout', 'it timed out'],
    ['resets', reset, 'connection', 'the connection was cut'],
  ] as const)('the request fails when the server %s', async (_, response, kind, message) => {
    receiver.answer = response;
    const timeoutMs = response === hang ? 300 : 30_000;
    const sent = createClient(['127.0.0.1']).request(createPost(receiver.url, { timeoutMs }));
    await expect(sent).rejects.toMatchObject({ name: 'OutboundRequestError', kind, message });
  });

  it('the request fails when the connection is refused', async () => {
    const sent = createClient(['127.0.0.1']).request(createPost(`http://127.0.0.1:${await deadPort()}/`));
    await expect(sent).rejects.toMatchObject({ kind: 'connection', message: 'the connection was refused' });
  });

  it('the timeout covers a DNS lookup that never ends', async () => {
    const client = createClient([], () => new Promise(() => undefined));
    const sent = client.request(createPost('http://hooks.example/', { timeoutMs: 300 }));
    await expect(sent).rejects.toMatchObject({ kind: 'timeout' });
  });
});

describe('createGuardedAgent', () => {
  it('the dispatcher retains nothing about visited hosts, reachable or not', async () => {
    const guard = new OutboundGuard({
      allow: ['127.0.0.1'],
      resolver: async (name) => (name.startsWith('inside') ? ['10.0.0.1'] : ['127.0.0.1']),
    });
    const dispatcher = createGuardedAgent(guard, { connectTimeoutMs: 30_000 });
    const dead = await deadPort();
    const visit = async (origin: string) => {
      const response = await dispatcher.request({ origin, path: '/', method: 'GET' });
      await response.body.dump();
    };
    for (let index = 0; index < 20; index += 1) {
      await visit(`http://reached-${index}.example:${receiver.port}`);
      await expect(visit(`http://inside-${index}.example:${receiver.port}`)).rejects.toBeInstanceOf(
        SsrfBlockedError,
      );
      await expect(visit(`http://dead-${index}.example:${dead}`)).rejects.toMatchObject({
        code: 'ECONNREFUSED',
      });
    }
    await until(() => Object.keys(dispatcher.stats).length === 0);
    expect(receiver.received).toHaveLength(20);
    await dispatcher.close();
  });
});

describe('a host name that alternates between addresses', () => {
  it('no request reaches loopback, whatever the name server alternates between', async () => {
    let turn = 0;
    // An allowed documentation network stands for a public address that does not answer.
    const guard = new OutboundGuard({
      allow: ['192.0.2.0/24'],
      resolver: async () => (turn++ % 2 === 0 ? ['192.0.2.1'] : ['127.0.0.1']),
    });
    const client = new OutboundClient(guard, { connectTimeoutMs: 100 });
    clients.push(client);
    const url = `http://hooks.example:${receiver.port}/`;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await guard.assertPublic(url).catch((error: unknown) => expect(error).toBeInstanceOf(SsrfBlockedError));
      await expect(client.request(createPost(url))).rejects.toMatchObject({ name: 'OutboundRequestError' });
    }
    expect(turn).toBe(12);
    expect(receiver.connections).toBe(0);
  });
});
