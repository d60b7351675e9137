import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileObjectStore } from '@app/storage';
import { withQueryParameter, readProblem, putObject } from '../support/object-client.js';
import { type ObjectServer, startObjectServer } from '../support/object-server.js';

let server: ObjectServer;
beforeAll(async () => {
  server = await startObjectServer();
});
afterAll(() => server?.close());

const base = () => server.options.publicUrl;
const presignPut = (key: string, maxBytes = 1_000_000, contentType = 'audio/mpeg') =>
  server.store.presignPut({ key, contentType, expiresIn: 600, maxBytes });

const SIGNATURE_MISMATCH = [403, 'signature_mismatch'];
const CONTENT_TYPE_MISMATCH = [403, 'content_type_mismatch'];

/** Sends a request line that client libraries would normalize. */
function sendRawRequest(method: string, target: string): Promise<number> {
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

describe('a signed object URL', () => {
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
  ])('the URL is rejected with %s changed to %j', async (name, value) => {
    const url = await presignPut('tampered/a');
    expect(await readProblem(putObject(withQueryParameter(url, name, value), 'x'))).toEqual(
      SIGNATURE_MISMATCH,
    );
    expect(await server.store.head('tampered/a')).toBeNull();
  });

  it('another content type is rejected although URL and header agree on it', async () => {
    const url = withQueryParameter(await presignPut('tampered/a'), 'type', 'text/html');
    expect(await readProblem(putObject(url, 'x', { 'content-type': 'text/html' }))).toEqual(
      SIGNATURE_MISMATCH,
    );
    expect(await server.store.head('tampered/a')).toBeNull();
  });

  it('a repeated parameter is rejected', async () => {
    const url = await presignPut('tampered/a');
    expect(await readProblem(putObject(`${url}&type=text%2Fhtml`, 'x'))).toEqual(SIGNATURE_MISMATCH);
    expect(await readProblem(putObject(`${url}&max_bytes=5`, 'x'))).toEqual(SIGNATURE_MISMATCH);
  });

  it('a missing or different Content-Type is rejected', async () => {
    const url = await presignPut('tampered/a');
    for (const type of ['audio/MPEG', 'audio/mpeg; x=1', 'application/json', 'nonsense']) {
      expect(await readProblem(putObject(url, '{}', { 'content-type': type }))).toEqual(
        CONTENT_TYPE_MISMATCH,
      );
    }
    expect(await readProblem(fetch(url, { method: 'PUT', body: new Uint8Array(3) }))).toEqual(
      CONTENT_TYPE_MISMATCH,
    );
  });

  it('a changed URL of a multipart part is rejected', async () => {
    const key = 'tampered/parts';
    const uploadId = await server.store.createMultipart(key, 'audio/mpeg');
    const url = await server.store.presignPart({
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
      expect(await readProblem(putObject(withQueryParameter(url, name, value), 'x'))).toEqual(
        SIGNATURE_MISMATCH,
      );
    }
    expect((await readProblem(putObject(url, 'x'.repeat(11))))[0]).toBe(413);
    expect((await putObject(url, 'x'.repeat(10))).status).toBe(200);
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
  ])('the signature does not cover the path %j', async (path) => {
    const query = new URL(await presignPut('tampered/a')).search;
    expect([400, 403, 404]).toContain(await sendRawRequest('PUT', `/objects/${path}${query}`));
    const get = new URL(await server.store.presignGet({ key: 'tampered/a', expiresIn: 600 })).search;
    expect([400, 403, 404]).toContain(await sendRawRequest('GET', `/objects/${path}${get}`));
    expect(await server.store.head('tampered/a')).toBeNull();
  });

  it('the URL stays valid after a new signing key is added, until the old key is removed', async () => {
    const url = await presignPut('rotated/a');
    const next = { id: 'k2', key: Buffer.alloc(32, 'second') };
    const verify = async (signingKeys: typeof server.options.signingKeys) => {
      const store = await FileObjectStore.open({ ...server.options, signingKeys });
      const { pathname, searchParams } = new URL(url);
      return () => store.signer.verify('PUT', pathname.slice('/objects/'.length), searchParams);
    };
    expect((await verify([next, ...server.options.signingKeys]))().key).toBe('rotated/a');
    expect(await verify([next])).toThrow(/signature/);
    expect(await verify([{ ...next, id: 'k1' }])).toThrow(/signature/);
  });
});
