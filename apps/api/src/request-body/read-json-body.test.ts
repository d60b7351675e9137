import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConcurrencyLimiter } from '../admission/concurrency-limiter.js';
import { readJsonBody, type JsonBodyLimits } from './read-json-body.js';

const GENEROUS: JsonBodyLimits = { maxBytes: 1_000, timeoutMs: 60_000 };

const LIMITS = { resource: 'JSON bodies', ownerKind: 'key', maxTotal: 2_000, maxPerOwner: 1_000 };

let server: Server;
const limiter = new ConcurrencyLimiter(LIMITS);
let limits: JsonBodyLimits;

/** Answers what it read, or the sentence it would refuse with. */
beforeAll(async () => {
  server = createServer((incoming, response) => {
    void readJsonBody(incoming, limits, limiter).then(
      (value) => response.end(JSON.stringify({ value })),
      (error: unknown) => response.end(JSON.stringify({ rejected: (error as Error).message })),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function open(headers: Record<string, string>, under: JsonBodyLimits = GENEROUS) {
  limits = under;
  const sent = request({ port: (server.address() as AddressInfo).port, method: 'POST', headers });
  const answer = (async () => {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return JSON.parse(await text(response)) as unknown;
  })();
  return { sent, answer };
}

async function sendOf(body: string | Buffer, type = 'application/json', under = GENEROUS): Promise<unknown> {
  const { sent, answer } = open({ 'Content-Type': type }, under);
  sent.end(body);
  return answer;
}

describe('readJsonBody', () => {
  it('returns a value that is not a request stream unchanged', async () => {
    expect(await readJsonBody(undefined, GENEROUS, limiter)).toBeUndefined();
    expect(await readJsonBody({ a: 1 }, GENEROUS, limiter)).toEqual({ a: 1 });
  });

  it.each([
    ['plain', '{"a":1}', 'application/json'],
    ['with a character set', '{"a":1}', 'Application/JSON; charset=utf-8'],
    ['with a byte order mark', '\ufeff{"a":1}', 'application/json'],
  ])('parses JSON %s', async (_, body, type) => {
    expect(await sendOf(body, type)).toEqual({ value: { a: 1 } });
  });

  it('decodes a character that is split between two chunks', async () => {
    const bytes = Buffer.from('{"a":"é"}');
    const { sent, answer } = open({ 'Content-Type': 'application/json' });
    sent.setNoDelay(true);
    await new Promise((resolve) => sent.write(bytes.subarray(0, 7), resolve));
    sent.end(bytes.subarray(7));
    expect(await answer).toEqual({ value: { a: 'é' } });
  });

  it.each(['', '{', '{"a":1}x'])('rejects %j as invalid JSON', async (body) => {
    expect(await sendOf(body)).toEqual({ rejected: 'body: is not valid JSON' });
  });

  it.each(['text/plain', 'application/jsonx', ';', 'application/x-www-form-urlencoded'])(
    'rejects the Content-Type %s',
    async (type) => {
      expect(await sendOf('{}', type)).toEqual({ rejected: 'Content-Type: must be application/json' });
    },
  );

  it('rejects a body whose Content-Length is too large', async () => {
    const { sent, answer } = open({ 'Content-Type': 'application/json', 'Content-Length': '1001' });
    sent.flushHeaders();
    expect(await answer).toEqual({ rejected: 'body: is too large for a JSON request' });
    sent.destroy();
  });

  it('rejects a chunked body that exceeds the limit', async () => {
    const { sent, answer } = open({ 'Content-Type': 'application/json' });
    sent.write(Buffer.alloc(1_001, ' '));
    expect(await answer).toEqual({ rejected: 'body: is too large for a JSON request' });
    sent.destroy();
  });

  it('rejects a body whose Content-Length exceeds the free capacity', async () => {
    const keyed = { 'Content-Type': 'application/json', 'X-API-Key': 'k' };
    const first = open({ ...keyed, 'Content-Length': '600' });
    first.sent.write('{');
    await expect.poll(() => limiter.inUse).toBe(600);
    const second = open({ ...keyed, 'Content-Length': '600' });
    second.sent.flushHeaders();
    expect(await second.answer).toEqual({
      rejected: 'There are too many JSON bodies of this key at once. Send the request again.',
    });
    second.sent.destroy();
    first.sent.end(`${' '.repeat(598)}}`);
    expect(await first.answer).toEqual({ value: {} });
    expect(limiter.inUse).toBe(0);
  });

  it('reserves the maximum size for a body of unknown length', async () => {
    const { sent, answer } = open({ 'Content-Type': 'application/json' });
    sent.write('{');
    await expect.poll(() => limiter.inUse).toBe(GENEROUS.maxBytes);
    sent.end('}');
    expect(await answer).toEqual({ value: {} });
  });

  it('rejects a body that does not arrive within the timeout', async () => {
    const under = { maxBytes: 1_000, timeoutMs: 100 };
    const { sent, answer } = open({ 'Content-Type': 'application/json' }, under);
    sent.write('{');
    expect(await answer).toEqual({ rejected: 'body: did not arrive within 0.1 s' });
    sent.destroy();
  });
});
