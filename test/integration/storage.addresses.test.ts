import { request } from 'node:http';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FileObjectStore } from '@app/storage';
import { ALLOWED_ORIGIN, type ObjectServer, startObjectServer } from '../support/object-server.js';

const IDLE_MS = 400;
let server: ObjectServer;
beforeAll(async () => {
  server = await startObjectServer({}, IDLE_MS);
});
afterAll(() => server?.close());

const base = () => server.options.publicUrl;
const putAddress = (key: string, maxBytes = 1_000_000, contentType = 'audio/mpeg') =>
  server.store.presignPut({ key, contentType, expiresIn: 600, maxBytes });

function send(
  address: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(address, { method: 'PUT', body, headers: { 'content-type': 'audio/mpeg', ...headers } });
}

function changed(address: string, name: string, value: string | null): string {
  const url = new URL(address);
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return url.href;
}

async function problem(answer: Promise<Response>): Promise<[number, string]> {
  const got = await answer;
  expect(got.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const body = (await got.json()) as {
    status: number;
    code: string;
    type: string;
    title: string;
    detail: string;
  };
  expect(body).toMatchObject({ status: got.status, type: `urn:zephyr:error:${body.code}` });
  expect(body.title && body.detail).toBeTruthy();
  return [got.status, body.code];
}

const REFUSED = [403, 'address_refused'];

/** A request line that no client library would send unchanged. */
function rawStatus(method: string, target: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base());
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: audio/mpeg\r\nContent-Length: 1\r\n\r\nx`,
      );
    });
    socket.once('data', (data) => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1'))?.[1]));
    });
    socket.once('error', reject);
  });
}

describe('a signed address', () => {
  it.each([
    ['signature', 'A'.repeat(43)],
    ['signature', ''],
    ['signature', null],
    ['expires', '9999999999'],
    ['expires', null],
    ['type', 'text/html'],
    ['type', null],
    ['max_bytes', '999999999'],
    ['max_bytes', null],
    ['key_id', 'k2'],
    ['key_id', null],
    ['part', '1'],
    ['upload_id', '0'.repeat(32)],
    ['filename', 'x'],
  ])('refuses %s changed to %j', async (name, value) => {
    const address = await putAddress('tampered/a');
    expect(await problem(send(changed(address, name, value), 'x'))).toEqual(REFUSED);
    expect(await server.store.head('tampered/a')).toBeNull();
  });

  it('refuses a parameter given twice', async () => {
    const address = await putAddress('tampered/a');
    expect(await problem(send(`${address}&type=text%2Fhtml`, 'x'))).toEqual(REFUSED);
    expect(await problem(send(`${address}&max_bytes=5`, 'x'))).toEqual(REFUSED);
  });

  it('refuses a missing or unlike Content-Type', async () => {
    const address = await putAddress('tampered/a');
    for (const type of ['audio/MPEG', 'audio/mpeg; x=1', 'application/json', 'nonsense']) {
      expect(await problem(send(address, '{}', { 'content-type': type }))).toEqual(REFUSED);
    }
    expect(await problem(fetch(address, { method: 'PUT', body: new Uint8Array(3) }))).toEqual(REFUSED);
  });

  it('of a part changed in any way is refused', async () => {
    const key = 'tampered/parts';
    const uploadId = await server.store.createMultipart(key, 'audio/mpeg');
    const address = await server.store.presignPart({
      key,
      uploadId,
      partNumber: 1,
      expiresIn: 600,
      maxBytes: 10,
    });
    for (const [name, value] of [
      ['part', '2'],
      ['part', null],
      ['upload_id', 'f'.repeat(32)],
      ['upload_id', null],
      ['max_bytes', '11'],
      ['type', 'audio/mpeg'],
    ] as const) {
      expect(await problem(send(changed(address, name, value), 'x'))).toEqual(REFUSED);
    }
    expect((await problem(send(address, 'x'.repeat(11))))[0]).toBe(413);
    expect((await send(address, 'x'.repeat(10))).status).toBe(200);
  });

  it.each([
    '../a',
    '%2e%2e/a',
    '%2e%2e%2fa',
    '..%2fa',
    '..\\a',
    '..%5ca',
    'a%00b',
    'tampered%2fa',
    '//a',
    './a',
    'a/',
    '',
  ])('cannot be bent to %j', async (path) => {
    const query = new URL(await putAddress('tampered/a')).search;
    expect([400, 403, 404]).toContain(await rawStatus('PUT', `/objects/${path}${query}`));
    const get = new URL(await server.store.presignGet({ key: 'tampered/a', expiresIn: 600 })).search;
    expect([400, 403, 404]).toContain(await rawStatus('GET', `/objects/${path}${get}`));
    expect(await server.store.head('tampered/a')).toBeNull();
  });

  it('outlives a new signing key, and ends with the old one', async () => {
    const address = await putAddress('rotated/a');
    const next = { id: 'k2', key: Buffer.alloc(32, 'second') };
    const verify = async (signingKeys: typeof server.options.signingKeys) => {
      const store = await FileObjectStore.open({ ...server.options, signingKeys });
      const { pathname, searchParams } = new URL(address);
      return () => store.signer.verify('PUT', pathname.slice('/objects/'.length), searchParams);
    };
    expect((await verify([next, ...server.options.signingKeys]))().key).toBe('rotated/a');
    expect(await verify([next])).toThrow(/signature/);
    expect(await verify([{ ...next, id: 'k1' }])).toThrow(/signature/);
  });
});

describe('a body', () => {
  const temporaries = () => readdir(join(server.root, 'tmp'));

  it('over its limit is 413, announced or not, and leaves nothing', async () => {
    const address = await putAddress('large/a', 100_000);
    expect(await problem(send(address, new Uint8Array(100_001)))).toEqual([413, 'file_too_large']);
    const chunked = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(30_000)),
    });
    const options = {
      method: 'PUT',
      body: chunked,
      duplex: 'half',
      headers: { 'content-type': 'audio/mpeg' },
    };
    expect(await problem(fetch(address, options as RequestInit))).toEqual([413, 'file_too_large']);
    expect(await server.store.head('large/a')).toBeNull();
    expect(await temporaries()).toEqual([]);
    expect((await send(address, new Uint8Array(100_000))).status).toBe(200);
  });

  it('of a sender that falls silent is dropped after the idle time, with its connection', async () => {
    const half = request(await putAddress('silent/a'), {
      method: 'PUT',
      headers: { 'content-type': 'audio/mpeg', 'content-length': 1000 },
    });
    const ended = new Promise<Error>((resolve) => half.once('error', resolve));
    half.write('some');
    await vi.waitFor(async () => expect(await temporaries()).toHaveLength(1), {
      timeout: 5_000,
      interval: 5,
    });
    expect((await ended).message).toMatch(/socket hang up|ECONNRESET/);
    await vi.waitFor(async () => expect(await temporaries()).toEqual([]), { timeout: 5_000, interval: 5 });
    expect(await server.store.head('silent/a')).toBeNull();
  });

  it('of a sender that hangs up leaves no file', async () => {
    const half = request(await putAddress('gone/a'), {
      method: 'PUT',
      headers: { 'content-type': 'audio/mpeg', 'content-length': 500_000 },
    });
    half.on('error', () => undefined);
    half.write(Buffer.alloc(100_000));
    await vi.waitFor(async () => expect(await temporaries()).toHaveLength(1), {
      timeout: 5_000,
      interval: 5,
    });
    half.destroy();
    await vi.waitFor(async () => expect(await temporaries()).toEqual([]), { timeout: 5_000, interval: 5 });
    expect(await server.store.head('gone/a')).toBeNull();
  });

  it('may be empty, and may be of any type, JSON too', async () => {
    expect((await send(await putAddress('any/empty'), '')).status).toBe(200);
    expect(await server.store.head('any/empty')).toMatchObject({ size: 0 });
    const json = await putAddress('any/json', 100, 'application/json');
    expect((await send(json, '{not json', { 'content-type': 'application/json' })).status).toBe(200);
    expect(await server.store.head('any/json')).toMatchObject({ size: 9, contentType: 'application/json' });
  });

  it('is parsed as ever on other routes', async () => {
    const post = (body: string, type: string) =>
      fetch(`${base()}/echo`, { method: 'POST', body, headers: { 'content-type': type } });
    expect(await (await post('{"a":1}', 'application/json')).json()).toEqual({ body: { a: 1 } });
    expect((await post('{', 'application/json')).status).toBe(400);
    expect((await post('x', 'audio/mpeg')).status).toBe(415);
    expect((await post('x', 'application/x-raw-stream')).status).toBe(415);
  });
});

describe('reading', () => {
  beforeAll(async () => {
    await server.store.put('read/a', Buffer.from('0123456789'), 'text/html');
  });
  const address = () => server.store.presignGet({ key: 'read/a', expiresIn: 600 });

  it('answers HEAD as GET, without the bytes', async () => {
    const get = await fetch(await address());
    const head = await fetch(await address(), { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const name of ['content-length', 'content-type', 'etag', 'last-modified', 'accept-ranges']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect(get.headers.get('x-content-type-options')).toBe('nosniff');
    expect(get.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('gives the whole when a range is not of this version, or not one it understands', async () => {
    const read = async (headers: Record<string, string>) =>
      (await fetch(await address(), { headers })).status;
    const etag = (await server.store.head('read/a'))?.etag;
    expect(await read({ range: 'bytes=1-2', 'if-range': `"${etag}"` })).toBe(206);
    expect(await read({ range: 'bytes=1-2', 'if-range': '"other"' })).toBe(200);
    for (const range of ['bytes=2-1', 'bytes=1-2,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b']) {
      expect(await read({ range })).toBe(200);
    }
    expect(await read({ range: 'bytes=-0' })).toBe(416);
  });

  it('names the size when a range cannot be met', async () => {
    const answer = await fetch(await address(), { headers: { range: 'bytes=10-' } });
    expect(answer.headers.get('content-range')).toBe('bytes */10');
    expect(((await answer.json()) as { code: string }).code).toBe('range_unsatisfiable');
  });
});

describe('pages of another origin', () => {
  const preflight = async (origin: string) =>
    fetch(await putAddress('cors/a'), {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'content-type',
      },
    });

  it('may PUT and read the ETag where they are allowed', async () => {
    const asked = await preflight(ALLOWED_ORIGIN);
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(asked.headers.get('access-control-allow-headers')).toContain('content-type');
    const sent = await send(await putAddress('cors/a'), 'x', { origin: ALLOWED_ORIGIN });
    expect(sent.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
    expect(sent.headers.get('access-control-expose-headers')).toContain('ETag');
    const refused = await send(changed(await putAddress('cors/a'), 'type', 'x/y'), 'x', {
      origin: ALLOWED_ORIGIN,
    });
    expect(refused.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN);
  });

  it('are told nothing where they are not', async () => {
    const asked = await preflight('https://elsewhere.example');
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
    expect(asked.headers.get('access-control-allow-methods')).toBeNull();
  });
});
