import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { readClientAddress } from '@app/auth';
import type { BootContext } from '@app/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import {
  forceCloseConnectionsOnShutdown,
  createHttpAdapter,
  registerRequestTelemetry,
} from './http-adapter.js';
import type { ApiMetrics } from './metrics/api-metrics.js';

function server(graceMs: number) {
  const logger = pino({ level: 'silent' });
  const adapter = createHttpAdapter({ logger } as BootContext);
  forceCloseConnectionsOnShutdown(adapter, graceMs);
  return adapter.getInstance();
}

describe('a closing HTTP server', () => {
  it('aborts a request whose body never ends', async () => {
    const fastify = server(50);
    fastify.post('/', () => 'done');
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    const { port } = fastify.server.address() as AddressInfo;
    const slow = request({ port, method: 'POST', headers: { 'content-type': 'application/json' } });
    const ended = once(slow, 'error');
    slow.write('{');
    await once(fastify.server, 'request');
    await fastify.close();
    expect(await ended).toMatchObject([{ code: 'ECONNRESET' }]);
  });

  it('completes a request that is answered in time', async () => {
    const fastify = server(60_000);
    let sendResponse = () => {};
    const responseRequested = new Promise<void>((resolve) => (sendResponse = resolve));
    fastify.get('/', async () => {
      await responseRequested;
      return 'done';
    });
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    const { port } = fastify.server.address() as AddressInfo;
    const open = fetch(`http://127.0.0.1:${port}/`);
    await once(fastify.server, 'request');
    const closing = fastify.close();
    sendResponse();
    expect(await (await open).text()).toBe('done');
    await closing;
  });

  it('answers a request on an open connection, then closes the connection', async () => {
    const fastify = server(60_000);
    let sendResponse = () => {};
    const responseRequested = new Promise<void>((resolve) => (sendResponse = resolve));
    fastify.get('/slow', async () => {
      await responseRequested;
      return 'done';
    });
    fastify.get('/', () => 'served');
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(fastify.server, 'request');
    const closing = fastify.close();
    const second = once(fastify.server, 'request');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await second;
    sendResponse();
    const response = await text(socket);
    expect(response.match(/HTTP\/1.1 200 OK/g)).toHaveLength(2);
    expect(response).toContain('served');
    await closing;
  });
});

it('the request log omits the query, which may hold a signature', async () => {
  const lines: string[] = [];
  const adapter = createHttpAdapter({
    logger: pino({}, { write: (line) => void lines.push(line) }),
  } as BootContext);
  registerRequestTelemetry(adapter, { requests: { observe: () => undefined } } as unknown as ApiMetrics);
  const fastify = adapter.getInstance();
  fastify.get('/objects/a', () => 'bytes');
  for (const path of ['/objects/a', '/objects/none'])
    await fastify.inject({ method: 'GET', url: `${path}?signature=planted&key_id=k` });
  expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual([
    '/objects/a',
    '/objects/none',
  ]);
  expect(lines.join('')).not.toContain('planted');
});

describe('the log and the metrics of requests', () => {
  async function listen() {
    const lines: Record<string, unknown>[] = [];
    const write = (line: string) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      if (entry['msg'] === 'request') lines.push(entry);
    };
    const logger = pino({}, { write });
    const adapter = createHttpAdapter({ logger } as BootContext);
    const observed: unknown[] = [];
    registerRequestTelemetry(adapter, {
      requests: { observe: (labels: unknown) => observed.push(labels) },
    } as unknown as ApiMetrics);
    const fastify = adapter.getInstance();
    fastify.get('/never', () => new Promise(() => undefined));
    fastify.get('/stream', (_: FastifyRequest, reply: FastifyReply) => {
      reply.hijack();
      reply.raw.writeHead(200).write('first');
    });
    fastify.get('/', () => 'served');
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    const { port } = fastify.server.address() as AddressInfo;
    return { fastify, lines, observed, url: `http://127.0.0.1:${port}` };
  }

  it('have a request once whose client goes away before a response', async () => {
    const { fastify, lines, observed, url } = await listen();
    const abort = new AbortController();
    const requested = once(fastify.server, 'request');
    const response = fetch(`${url}/never`, { signal: abort.signal });
    await requested;
    abort.abort();
    await expect(response).rejects.toThrow('aborted');
    await expect.poll(() => lines).toMatchObject([{ path: '/never', status: 499 }]);
    expect(observed).toEqual([{ method: 'GET', route: '/never', status: 499 }]);
    await fastify.close();
  });

  it('have a stream once that its reader closes, and a request once that is answered', async () => {
    const { fastify, lines, observed, url } = await listen();
    const stream = await fetch(`${url}/stream`);
    await stream.body?.cancel();
    await expect.poll(() => lines).toMatchObject([{ path: '/stream', status: 200 }]);
    expect(await (await fetch(`${url}/`)).text()).toBe('served');
    await fastify.close();
    expect(lines).toMatchObject([{ path: '/stream' }, { path: '/' }]);
    expect(observed).toHaveLength(2);
  });
});

describe('the address of the client', () => {
  async function readAddress(trustedProxies: string[], forwarded: string): Promise<string> {
    const logger = pino({ level: 'silent' });
    const fastify = createHttpAdapter({ logger } as BootContext, trustedProxies).getInstance();
    fastify.get('/', (each: FastifyRequest) => readClientAddress(each));
    const headers = { 'x-forwarded-for': forwarded };
    return (await fastify.inject({ url: '/', headers, remoteAddress: '10.0.0.7' })).body;
  }

  it('is that of the connection, unless a trusted proxy names another', async () => {
    expect(await readAddress([], '203.0.113.7')).toBe('10.0.0.7');
    expect(await readAddress(['10.0.1.0/24'], '203.0.113.7')).toBe('10.0.0.7');
    expect(await readAddress(['10.0.0.0/24'], '203.0.113.7')).toBe('203.0.113.7');
    expect(await readAddress(['10.0.0.7'], '2001:db8::7')).toBe('2001:db8::7');
  });

  it('is the last address that is no trusted proxy, so that clients cannot choose theirs', async () => {
    const proxies = ['10.0.0.7', '192.0.2.0/24'];
    expect(await readAddress(proxies, '198.51.100.1, 203.0.113.7, 192.0.2.9')).toBe('203.0.113.7');
  });

  it.each(['unknown', '<script>', '203.0.113.7:1234'])(
    'is the proxy if the header ends in %s',
    async (forwarded) => expect(await readAddress(['10.0.0.7'], forwarded)).toBe('10.0.0.7'),
  );
});
