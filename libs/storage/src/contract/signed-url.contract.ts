import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import type { ObjectStore } from '../object-store.js';
import {
  replaceQueryParameter,
  formatLengthAndSha256,
  freshPrefix,
  readAll,
} from './test-helpers.contract.js';

const SIGNATURE = /signature$/i;
const EXPIRY = /expires$|^x-amz-date$/i;

function send(address: string, body: string | Uint8Array, contentType = 'audio/mpeg'): Promise<Response> {
  return fetch(address, { method: 'PUT', body, headers: { 'content-type': contentType } });
}

async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}

function flipped(text: string): string {
  return (text.startsWith('a') ? 'b' : 'a') + text.slice(1);
}

/** Sends half of what it announces and hangs up. */
async function hangUpHalfWay(address: string): Promise<void> {
  const headers = { 'content-type': 'audio/mpeg', 'content-length': 2_000_000 };
  const half = request(address, { method: 'PUT', headers });
  const closed = new Promise((resolve) => half.once('close', resolve));
  half.on('error', () => undefined);
  await new Promise<void>((resolve) => half.write(Buffer.alloc(1_000_000), () => resolve()));
  half.destroy();
  await closed;
}

export function signedUrlContract(store: () => ObjectStore): void {
  const putAddress = (key: string, expiresIn = 600) =>
    store().presignPut({ key, contentType: 'audio/mpeg', expiresIn, maxBytes: 8_000_000 });

  describe('a signed PUT URL', () => {
    it('stores the body with its content type and returns the ETag', async () => {
      const key = `${freshPrefix()}a`;
      const bytes = randomBytes(3_000_000);
      const response = await send(await putAddress(key), bytes);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('');
      const info = await store().head(key);
      expect(info).toMatchObject({ size: bytes.length, contentType: 'audio/mpeg' });
      expect(response.headers.get('etag')).toBe(`"${info?.etag}"`);
      expect(formatLengthAndSha256(await readAll(await store().get(key)))).toBe(formatLengthAndSha256(bytes));
    });

    it('can be used again; the last body wins', async () => {
      const key = `${freshPrefix()}a`;
      const address = await putAddress(key);
      await send(address, 'first');
      await send(address, 'second');
      expect((await readAll(await store().get(key))).toString()).toBe('second');
    });

    it('rejects every request that the signature does not cover', async () => {
      const key = `${freshPrefix()}a`;
      const address = await putAddress(key);
      const get = await store().presignGet({ key, expiresIn: 600 });
      expect(await statusOf(send(address, 'x', 'audio/wav'))).toBe(403);
      expect(await statusOf(send(address.replace(key, `${key}b`), 'x'))).toBe(403);
      expect(await statusOf(send(replaceQueryParameter(address, SIGNATURE, flipped), 'x'))).toBe(403);
      expect(
        await statusOf(
          send(
            replaceQueryParameter(address, EXPIRY, (value) => value.replace(/\d{4}/, '2999')),
            'x',
          ),
        ),
      ).toBe(403);
      expect(await statusOf(send(get, 'x'))).toBe(403);
      expect(await statusOf(fetch(address))).toBe(403);
      expect([403, 404, 405]).toContain(await statusOf(fetch(address, { method: 'DELETE' })));
      expect([403, 404, 405]).toContain(await statusOf(fetch(address, { method: 'POST', body: 'x' })));
      expect(await store().head(key)).toBeNull();
      expect(await statusOf(send(address, 'x'))).toBe(200);
    });

    it('is rejected after it has expired', async () => {
      const key = `${freshPrefix()}a`;
      const address = await putAddress(key, 1);
      await vi.waitFor(async () => expect(await statusOf(send(address, 'x'))).toBe(403), {
        timeout: 10_000,
        interval: 200,
      });
    });

    it('stores nothing when the sender disconnects', async () => {
      const key = `${freshPrefix()}a`;
      await hangUpHalfWay(await putAddress(key));
      // The other connection is answered after the first one's end was seen.
      expect(await statusOf(send(await putAddress(`${key}b`), 'x'))).toBe(200);
      expect(await store().head(key)).toBeNull();
    });
  });

  describe('a signed GET URL', () => {
    it('returns the bytes, the content type and the file name', async () => {
      const key = `${freshPrefix()}a`;
      const { etag } = await store().put(key, Buffer.from('0123456789'), 'text/vtt');
      const response = await fetch(
        await store().presignGet({ key, expiresIn: 600, filename: 'Gespräch "1".vtt' }),
      );
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/vtt');
      expect(response.headers.get('content-length')).toBe('10');
      expect(response.headers.get('etag')).toBe(`"${etag}"`);
      expect(response.headers.get('content-disposition')).toContain(
        `filename*=UTF-8''Gespr%C3%A4ch%20%221%22.vtt`,
      );
      expect(await response.text()).toBe('0123456789');
    });

    it('returns a range and rejects an unsatisfiable one', async () => {
      const key = `${freshPrefix()}a`;
      await store().put(key, Buffer.from('0123456789'), 'text/plain');
      const address = await store().presignGet({ key, expiresIn: 600 });
      const ranged = async (range: string) => {
        const response = await fetch(address, { headers: { range } });
        return [
          response.status,
          response.headers.get('content-range'),
          response.status === 206 ? await response.text() : null,
        ];
      };
      expect(await ranged('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
      expect(await ranged('bytes=8-')).toEqual([206, 'bytes 8-9/10', '89']);
      expect(await ranged('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789']);
      expect((await ranged('bytes=10-'))[0]).toBe(416);
    });

    it('can be signed before the object exists, answers 404 until then, and rejects what it does not cover', async () => {
      const key = `${freshPrefix()}a`;
      const address = await store().presignGet({ key, expiresIn: 600, filename: 'a.txt' });
      expect(await statusOf(fetch(address))).toBe(404);
      await store().put(key, Buffer.from('x'), 'text/plain');
      expect(await statusOf(fetch(address))).toBe(200);
      expect(
        await statusOf(fetch(replaceQueryParameter(address, /disposition$|filename/, () => 'b.exe'))),
      ).toBe(403);
      expect(await statusOf(fetch(address.replace(key, `${key}b`)))).toBe(403);
      expect(await statusOf(send(address, 'y', 'text/plain'))).toBe(403);
      expect((await readAll(await store().get(key))).toString()).toBe('x');
    });
  });
}
