import { once } from 'node:events';
import { createServer, IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConcurrencyLimiter } from '../admission/concurrency-limiter.js';
import { readJsonBody, type JsonBodyLimits } from './read-json-body.js';

const DEFAULT_LIMITS: JsonBodyLimits = { maxBytes: 1_000, timeoutMs: 60_000 };

const LIMITS = { resource: 'JSON bodies', ownerKind: 'key', maxTotal: 2_000, maxPerOwner: 1_000 };

let server: Server;
const limiter = new ConcurrencyLimiter(LIMITS);
let limits: JsonBodyLimits;

/** Answers what it read, or the sentence it would refuse with. */
beforeAll(async () => {
  server = createServer((incoming, response) => {
    void readJsonBody(incoming, limits, limiter, 'k').then(
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

function open(headers: Record<string, string>, bodyLimits: JsonBodyLimits = DEFAULT_LIMITS) {
  limits = bodyLimits;
  const clientRequest = request({ port: (server.address() as AddressInfo).port, method: 'POST', headers });
  const parsedResponse = (async () => {
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
    return JSON.parse(await text(response)) as unknown;
  })();
  return { clientRequest, parsedResponse };
}

async function sendBody(
  body: string | Buffer,
  type = 'application/json',
  bodyLimits = DEFAULT_LIMITS,
): Promise<unknown> {
  const { clientRequest, parsedResponse } = open({ 'Content-Type': type }, bodyLimits);
  clientRequest.end(body);
  return parsedResponse;
}

describe('readJsonBody', () => {
  it('returns a value that is not a request stream unchanged', async () => {
    expect(await readJsonBody(undefined, DEFAULT_LIMITS, limiter, 'k')).toBeUndefined();
    expect(await readJsonBody({ a: 1 }, DEFAULT_LIMITS, limiter, 'k')).toEqual({ a: 1 });
  });

  it.each([
    ['plain', '{"a":1}', 'application/json'],
    ['with a character set', '{"a":1}', 'Application/JSON; charset=utf-8'],
    ['with a byte order mark', '\ufeff{"a":1}', 'application/json'],
  ])('parses JSON %s', async (_, body, type) => {
    expect(await sendBody(body, type)).toEqual({ value: { a: 1 } });
  });

  it('decodes a character that is split between two chunks', async () => {
    const bytes = Buffer.from('{"a":"é"}');
    const { clientRequest, parsedResponse } = open({ 'Content-Type': 'application/json' });
    clientRequest.setNoDelay(true);
    await new Promise((resolve) => clientRequest.write(bytes.subarray(0, 7), resolve));
    clientRequest.end(bytes.subarray(7));
    expect(await parsedResponse).toEqual({ value: { a: 'é' } });
  });

  it.each([undefined, '100'])(
    'copies the bytes instead of keeping the chunks, each of which may be one byte (Content-Length %s)',
    async (length) => {
      const body = new IncomingMessage(new Socket());
      body.headers = {
        'content-type': 'application/json',
        ...(length !== undefined && { 'content-length': length }),
      };
      const pendingValue = readJsonBody(body, DEFAULT_LIMITS, limiter, 'k');
      const json = JSON.stringify('a'.repeat(98));
      for (const character of json) {
        const chunk = Buffer.from(character);
        body.emit('data', chunk);
        chunk.fill('x');
      }
      body.emit('end');
      expect(await pendingValue).toBe('a'.repeat(98));
    },
  );

  it('joins a long body of unknown length', async () => {
    const value = 'abcdefgh'.repeat(10_000);
    const bodyLimits = { maxBytes: 100_000, timeoutMs: 60_000 };
    const { clientRequest, parsedResponse } = open({ 'Content-Type': 'application/json' }, bodyLimits);
    const bytes = Buffer.from(JSON.stringify(value));
    for (let at = 0; at < bytes.byteLength; at += 7_001) clientRequest.write(bytes.subarray(at, at + 7_001));
    clientRequest.end();
    expect(await parsedResponse).toEqual({ value });
  });

  it.each(['', '{', '{"a":1}x'])('rejects %j as invalid JSON', async (body) => {
    expect(await sendBody(body)).toEqual({ rejected: 'body: is not valid JSON' });
  });

  it('rejects bytes that are no UTF-8, which would be stored as other characters', async () => {
    expect(await sendBody(Buffer.from('{"a":"caf\xe9"}', 'latin1'))).toEqual({
      rejected: 'body: is not UTF-8',
    });
  });

  it('rejects another character set', async () => {
    expect(await sendBody('{}', 'application/json; charset=iso-8859-1')).toEqual({
      rejected: 'Content-Type: must have the charset utf-8',
    });
  });

  it('rejects a compressed body', async () => {
    const { clientRequest, parsedResponse } = open({
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
    });
    clientRequest.end(gzipSync('{}'));
    expect(await parsedResponse).toEqual({
      rejected: 'Content-Encoding: must be identity, or left out',
    });
  });

  it.each(['text/plain', 'application/jsonx', ';', 'application/x-www-form-urlencoded'])(
    'rejects the Content-Type %s',
    async (type) => {
      expect(await sendBody('{}', type)).toEqual({ rejected: 'Content-Type: must be application/json' });
    },
  );

  it('rejects a body whose Content-Length is too large', async () => {
    const { clientRequest, parsedResponse } = open({
      'Content-Type': 'application/json',
      'Content-Length': '1001',
    });
    clientRequest.flushHeaders();
    expect(await parsedResponse).toEqual({ rejected: 'body: is too large for a JSON request' });
    clientRequest.destroy();
  });

  it('rejects a chunked body that exceeds the limit', async () => {
    const { clientRequest, parsedResponse } = open({ 'Content-Type': 'application/json' });
    clientRequest.write(Buffer.alloc(1_001, ' '));
    expect(await parsedResponse).toEqual({ rejected: 'body: is too large for a JSON request' });
    clientRequest.destroy();
  });

  it('rejects a body whose Content-Length exceeds the free capacity', async () => {
    const keyed = { 'Content-Type': 'application/json' };
    const first = open({ ...keyed, 'Content-Length': '600' });
    first.clientRequest.write('{');
    await expect.poll(() => limiter.inUse).toBe(600);
    const second = open({ ...keyed, 'Content-Length': '600' });
    second.clientRequest.flushHeaders();
    expect(await second.parsedResponse).toEqual({
      rejected: 'There are too many JSON bodies of this key at once. Send the request again.',
    });
    second.clientRequest.destroy();
    first.clientRequest.end(`${' '.repeat(598)}}`);
    expect(await first.parsedResponse).toEqual({ value: {} });
    expect(limiter.inUse).toBe(0);
  });

  it('reserves the maximum size for a body of unknown length', async () => {
    const { clientRequest, parsedResponse } = open({ 'Content-Type': 'application/json' });
    clientRequest.write('{');
    await expect.poll(() => limiter.inUse).toBe(DEFAULT_LIMITS.maxBytes);
    clientRequest.end('}');
    expect(await parsedResponse).toEqual({ value: {} });
  });

  it('rejects a body that does not arrive within the timeout', async () => {
    const bodyLimits = { maxBytes: 1_000, timeoutMs: 100 };
    const { clientRequest, parsedResponse } = open({ 'Content-Type': 'application/json' }, bodyLimits);
    clientRequest.write('{');
    expect(await parsedResponse).toEqual({ rejected: 'body: did not arrive within 0.1 s' });
    clientRequest.destroy();
  });
});
