import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ALLOWED_ORIGIN, type ObjectServer, startObjectServer } from '../support/object-server.js';
import { withQueryParameter, readProblem, putObject } from '../support/object-client.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 5 };
let server: ObjectServer;
beforeAll(async () => {
  server = await startObjectServer();
});
afterAll(() => server?.close());

const presignPut = (key: string, maxBytes = 1_000_000, contentType = 'audio/mpeg') =>
  server.store.presignPut({ key, contentType, expiresIn: 600, maxBytes });

describe('uploading to a signed URL', () => {
  const listTemporaryFiles = ({ root } = server) => readdir(join(root, 'tmp'));

  it('a body over the limit gets 413, with or without a content length, and leaves no file', async () => {
    const url = await presignPut('large/a', 100_000);
    expect(await readProblem(putObject(url, new Uint8Array(100_001)))).toEqual([413, 'file_too_large']);
    const chunked = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(30_000)),
    });
    const options = {
      method: 'PUT',
      body: chunked,
      duplex: 'half',
      headers: { 'content-type': 'audio/mpeg' },
    };
    expect(await readProblem(fetch(url, options as RequestInit))).toEqual([413, 'file_too_large']);
    expect(await server.store.head('large/a')).toBeNull();
    expect(await listTemporaryFiles()).toEqual([]);
    expect((await putObject(url, new Uint8Array(100_000))).status).toBe(200);
  });

  it('a body whose client stops sending is dropped after the idle timeout, and its connection closed', async () => {
    const serverWithShortTimeout = await startObjectServer({}, 1_000);
    onTestFinished(() => serverWithShortTimeout.close());
    const put = { key: 'silent/a', contentType: 'audio/mpeg', expiresIn: 600, maxBytes: 1_000_000 };
    const half = request(await serverWithShortTimeout.store.presignPut(put), {
      method: 'PUT',
      headers: { 'content-type': 'audio/mpeg', 'content-length': 1_000_000 },
    });
    const ended = new Promise<Error>((resolve) => half.once('error', resolve));
    // Stops sending when its temporary file exists, which is deleted soon after.
    await vi.waitFor(async () => {
      half.write('some');
      expect(await listTemporaryFiles(serverWithShortTimeout)).toHaveLength(1);
    }, WAIT_OPTIONS);
    expect((await ended).message).toMatch(/socket hang up|ECONNRESET/);
    await vi.waitFor(
      async () => expect(await listTemporaryFiles(serverWithShortTimeout)).toEqual([]),
      WAIT_OPTIONS,
    );
    expect(await serverWithShortTimeout.store.head('silent/a')).toBeNull();
  });

  it('a body whose client disconnects leaves no file', async () => {
    const half = request(await presignPut('gone/a'), {
      method: 'PUT',
      headers: { 'content-type': 'audio/mpeg', 'content-length': 500_000 },
    });
    half.on('error', () => undefined);
    half.write(Buffer.alloc(100_000));
    await vi.waitFor(async () => expect(await listTemporaryFiles()).toHaveLength(1), WAIT_OPTIONS);
    half.destroy();
    await vi.waitFor(async () => expect(await listTemporaryFiles()).toEqual([]), WAIT_OPTIONS);
    expect(await server.store.head('gone/a')).toBeNull();
  });

  it('a body may be empty and may have any content type', async () => {
    expect((await putObject(await presignPut('any/empty'), '')).status).toBe(200);
    expect(await server.store.head('any/empty')).toMatchObject({ size: 0 });
    const json = await presignPut('any/json', 100, 'application/json');
    expect((await putObject(json, '{not json', { 'content-type': 'application/json' })).status).toBe(200);
    expect(await server.store.head('any/json')).toMatchObject({ size: 9, contentType: 'application/json' });
  });
});

describe('downloading from a signed URL', () => {
  beforeAll(async () => {
    await server.store.put('read/a', Buffer.from('0123456789'), 'text/html');
  });
  const url = () => server.store.presignGet({ key: 'read/a', expiresIn: 600 });

  it('HEAD returns the headers of GET without the body', async () => {
    const get = await fetch(await url());
    const head = await fetch(await url(), { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const name of ['content-length', 'content-type', 'etag', 'last-modified', 'accept-ranges']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect(get.headers.get('x-content-type-options')).toBe('nosniff');
    expect(get.headers.get('content-security-policy')).toContain('sandbox');
  });

  it.each(['GET', 'HEAD'])('%s of an object that the client has already returns no body', async (method) => {
    const etag = `"${(await server.store.head('read/a'))?.etag}"`;
    const read = async (known: string) => {
      const response = await fetch(await url(), { method, headers: { 'if-none-match': known } });
      return [response.status, (await response.text()).length, response.headers.get('etag')];
    };
    expect(await read(etag)).toEqual([304, 0, etag]);
    expect(await read('"other"')).toEqual([200, method === 'GET' ? 10 : 0, etag]);
  });

  it('an outdated or unsupported range returns the whole object', async () => {
    const read = async (headers: Record<string, string>) => (await fetch(await url(), { headers })).status;
    const etag = (await server.store.head('read/a'))?.etag;
    expect(await read({ range: 'bytes=1-2', 'if-range': `"${etag}"` })).toBe(206);
    expect(await read({ range: 'bytes=1-2', 'if-range': '"other"' })).toBe(200);
    for (const range of ['bytes=2-1', 'bytes=1-2,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b']) {
      expect(await read({ range })).toBe(200);
    }
    expect(await read({ range: 'bytes=-0' })).toBe(416);
  });

  it('an unsatisfiable range returns the size of the object', async () => {
    const response = await fetch(await url(), { headers: { range: 'bytes=10-' } });
    expect(response.headers.get('content-range')).toBe('bytes */10');
    expect(((await response.json()) as { code: string }).code).toBe('range_not_satisfiable');
  });
});

describe('CORS of signed URLs', () => {
  const preflight = async (origin: string) =>
    fetch(await presignPut('cors/a'), {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'content-type',
      },
    });

  it('an allowed origin may PUT and read the ETag', async () => {
    const response = await preflight(ALLOWED_ORIGIN);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(response.headers.get('access-control-allow-headers')).toContain('content-type');
    const sent = await putObject(await presignPut('cors/a'), 'x', { origin: ALLOWED_ORIGIN });
    expect(sent.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
    expect(sent.headers.get('access-control-expose-headers')).toContain('ETag');
    const rejected = await putObject(withQueryParameter(await presignPut('cors/a'), 'type', 'x/y'), 'x', {
      origin: ALLOWED_ORIGIN,
    });
    expect(rejected.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
  });

  it('another origin gets no CORS headers', async () => {
    const response = await preflight('https://elsewhere.example');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('access-control-allow-methods')).toBeNull();
  });
});
