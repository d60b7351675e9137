import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { BootContext } from '@app/runtime';
import type { FastifyReply } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpAdapter } from '../http-adapter.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

const PIPELINED = 20;
const LIMITS = { resource: 'answers', ownerKind: 'key', maxTotal: 100, maxPerOwner: 100 };
const SLOW_REQUEST = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n';
const FAST_REQUEST = 'GET /fast HTTP/1.1\r\nHost: x\r\n\r\n';

let limiter: ConcurrencyLimiter;
let responses: ServerResponse[];
let slowReplies: FastifyReply[];
let stopServer: () => Promise<void>;

afterEach(() => stopServer());

/** Answers `/fast` at once, and `/slow` when the test does. @returns a connected client and the server's side */
async function connectClient(): Promise<{ client: Socket; connection: Socket }> {
  limiter = new ConcurrencyLimiter(LIMITS);
  [responses, slowReplies] = [[], []];
  const fastify = createHttpAdapter({ logger: pino({ level: 'silent' }) } as BootContext).getInstance();
  const hold = ({ raw }: FastifyReply) => {
    limiter.holdUntilClosed('k', raw);
    responses.push(raw);
  };
  fastify.get('/slow', (_, reply: FastifyReply) => {
    hold(reply);
    slowReplies.push(reply);
  });
  fastify.get('/fast', (_, reply: FastifyReply) => {
    hold(reply);
    void reply.send('fast');
  });
  await fastify.listen({ port: 0, host: '127.0.0.1' });
  const connected = once(fastify.server, 'connection') as Promise<[Socket]>;
  const client = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
  const [connection] = await connected;
  stopServer = async () => {
    client.destroy();
    fastify.server.closeAllConnections();
    await fastify.close();
  };
  return { client, connection };
}

describe('responses that wait for an earlier one of their connection', () => {
  it('close with the connection, and give back what they hold', async () => {
    const { client, connection } = await connectClient();
    client.write(SLOW_REQUEST + FAST_REQUEST.repeat(PIPELINED));
    await expect.poll(() => limiter.inUse).toBe(PIPELINED + 1);
    client.resetAndDestroy();
    await expect.poll(() => connection.closed).toBe(true);
    expect(limiter.inUse).toBe(0);
    expect(responses.map(({ closed, destroyed }) => closed && destroyed)).not.toContain(false);
  });

  it('are closed for what asks later, such as a permit that is taken after an await', async () => {
    const { client, connection } = await connectClient();
    client.write(SLOW_REQUEST + SLOW_REQUEST);
    await expect.poll(() => responses.length).toBe(2);
    client.resetAndDestroy();
    await expect.poll(() => connection.closed).toBe(true);
    for (const response of responses) limiter.holdUntilClosed('k', response);
    for (const reply of slowReplies) void reply.send('too late');
    expect(limiter.inUse).toBe(0);
  });

  it('are sent in their order otherwise, and close once', async () => {
    const { client, connection } = await connectClient();
    const closings: number[] = [];
    client.write(SLOW_REQUEST + FAST_REQUEST.repeat(PIPELINED));
    await expect.poll(() => responses.length).toBe(PIPELINED + 1);
    for (const [index, response] of responses.entries()) response.on('close', () => closings.push(index));
    expect(connection.listenerCount('close')).toBeLessThan(PIPELINED);
    void slowReplies[0]?.send('slow');
    await expect.poll(() => limiter.inUse).toBe(0);
    client.end();
    await expect.poll(() => connection.closed).toBe(true);
    expect(closings).toEqual(responses.map((_, index) => index));
  });
});
