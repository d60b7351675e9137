import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectStore } from '../object-store.js';
import {
  formatLengthAndSha256,
  freshPrefix,
  MIB,
  readAll,
  getRejectionErrorName,
} from './test-helpers.contract.js';

async function* breaksAfter(bytes: number): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < bytes; sent += 64 * 1024) yield Buffer.alloc(64 * 1024, 1);
  throw new TypeError('The source broke.');
}

export function bytesContract(store: () => ObjectStore): void {
  describe('bytes', () => {
    it.each([0, 1, 9 * MIB + 7])('put stores %i bytes of a stream', async (length) => {
      const key = `${freshPrefix()}a`;
      const bytes = randomBytes(length);
      const info = await store().put(
        key,
        Readable.from([bytes.subarray(0, length / 2), bytes.subarray(length / 2)]),
        'audio/wav',
      );
      expect(info).toMatchObject({ key, size: length, contentType: 'audio/wav' });
      expect(formatLengthAndSha256(await readAll(await store().get(key)))).toBe(formatLengthAndSha256(bytes));
      const found = await store().head(key);
      expect(found).toMatchObject({ key, size: length, contentType: 'audio/wav', etag: info.etag });
      expect(Math.abs(Date.now() - (found?.modifiedAt.getTime() ?? 0))).toBeLessThan(60_000);
    });

    it('put replaces an object and its etag', async () => {
      const key = `${freshPrefix()}a`;
      const first = await store().put(key, Buffer.from('one'), 'text/plain');
      const second = await store().put(key, Buffer.from('two'), 'text/html');
      expect(second.etag).not.toBe(first.etag);
      expect(await store().head(key)).toMatchObject({ etag: second.etag, contentType: 'text/html' });
      expect((await readAll(await store().get(key))).toString()).toBe('two');
    });

    it.each([64 * 1024, 12 * MIB])(
      'put keeps the previous object when the body fails after %i bytes',
      async (length) => {
        const prefix = freshPrefix();
        await store().put(`${prefix}old`, Buffer.from('kept'), 'text/plain');
        for (const name of ['old', 'new']) {
          const body = Readable.from(breaksAfter(length), { objectMode: false });
          expect(await getRejectionErrorName(store().put(prefix + name, body, 'text/plain'))).toBe(
            'TypeError',
          );
        }
        expect(await store().head(`${prefix}new`)).toBeNull();
        expect((await readAll(await store().get(`${prefix}old`))).toString()).toBe('kept');
      },
    );

    it('concurrent puts never mix their bodies', async () => {
      const key = `${freshPrefix()}a`;
      const bodies = [1, 2, 3, 4, 5, 6].map((fill) => Buffer.alloc(MIB, fill));
      const infos = await Promise.all(
        bodies.map((body) => store().put(key, Readable.from([body]), 'text/plain')),
      );
      const stored = await readAll(await store().get(key));
      expect(bodies.map(formatLengthAndSha256)).toContain(formatLengthAndSha256(stored));
      expect(infos.map(({ etag }) => etag)).toContain((await store().head(key))?.etag);
    });

    it('putIfAbsent creates an object only when there is none and reports whether it did', async () => {
      const key = `${freshPrefix()}a`;
      expect(await store().putIfAbsent(key, Buffer.from('first'), 'text/plain')).toBe(true);
      expect(await store().putIfAbsent(key, Buffer.from('second'), 'text/plain')).toBe(false);
      expect((await readAll(await store().get(key))).toString()).toBe('first');
      expect(await store().head(key)).toMatchObject({ size: 5, contentType: 'text/plain' });
      await store().delete(key);
      expect(await store().putIfAbsent(key, Buffer.from('third'), 'text/plain')).toBe(true);
    });

    it('putIfAbsent lets exactly one of many concurrent callers create the object', async () => {
      const prefix = freshPrefix();
      for (let round = 0; round < 5; round += 1) {
        const key = `${prefix}${round}`;
        const bodies = [1, 2, 3, 4, 5, 6].map((writer) => Buffer.from(`of writer ${writer}`));
        const made = await Promise.all(bodies.map((body) => store().putIfAbsent(key, body, 'text/plain')));
        const stored = (await readAll(await store().get(key))).toString();
        expect(bodies.filter((_, at) => made[at]).map(String)).toEqual([stored]);
      }
    });

    it('get returns ranges', async () => {
      const key = `${freshPrefix()}a`;
      await store().put(key, Buffer.from('0123456789'), 'text/plain');
      const read = async (start: number, end?: number) =>
        (await readAll(await store().get(key, { start, end }))).toString();
      expect(await read(0, 0)).toBe('0');
      expect(await read(3, 5)).toBe('345');
      expect(await read(7)).toBe('789');
      expect(await read(8, 500)).toBe('89');
      expect(await getRejectionErrorName(store().get(key, { start: 10 }))).toBe('RangeNotSatisfiableError');
    });

    it('get and fetchToFile reject a missing object', async () => {
      const key = `${freshPrefix()}a`;
      expect(await store().head(key)).toBeNull();
      expect(await getRejectionErrorName(store().get(key))).toBe('ObjectNotFoundError');
      expect(await getRejectionErrorName(store().fetchToFile(key, join(tmpdir(), 'never-made')))).toBe(
        'ObjectNotFoundError',
      );
      await store().delete(key);
    });
  });

  describe('fetchToFile', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'zephyr-fetch-'));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    it('writes the object to a file and replaces an older file', async () => {
      const key = `${freshPrefix()}a`;
      const path = join(folder, 'audio');
      await writeFile(path, 'older');
      const { etag } = await store().put(key, Buffer.from('bytes'), 'text/plain');
      await store().fetchToFile(key, path);
      await store().fetchToFile(key, path, { ifEtag: etag });
      expect(await readFile(path, 'utf8')).toBe('bytes');
      expect(await readdir(folder)).toEqual(['audio']);
    });

    it('rejects changed bytes and keeps the existing file', async () => {
      const key = `${freshPrefix()}a`;
      const path = join(folder, 'audio');
      const { etag } = await store().put(key, Buffer.from('true'), 'text/plain');
      await store().put(key, Buffer.from('swapped'), 'text/plain');
      await writeFile(path, 'older');
      expect(await getRejectionErrorName(store().fetchToFile(key, path, { ifEtag: etag }))).toBe(
        'ObjectChangedError',
      );
      expect(await readFile(path, 'utf8')).toBe('older');
      expect(await readdir(folder)).toEqual(['audio']);
    });

    it('stops when its signal is aborted and keeps the existing file', async () => {
      const key = `${freshPrefix()}a`;
      const path = join(folder, 'audio');
      await store().put(key, Buffer.alloc(9 * MIB), 'text/plain');
      await writeFile(path, 'older');
      const stop = new AbortController();
      const fetching = store().fetchToFile(key, path, { signal: stop.signal });
      stop.abort(new RangeError('stopped'));
      expect(await getRejectionErrorName(fetching)).toBe('RangeError');
      expect(await readFile(path, 'utf8')).toBe('older');
      expect(await readdir(folder)).toEqual(['audio']);
    });

    it('leaves a fetched file unchanged when the object is replaced or deleted', async () => {
      const key = `${freshPrefix()}a`;
      const path = join(folder, 'audio');
      await store().put(key, Buffer.from('first'), 'text/plain');
      await store().fetchToFile(key, path);
      await store().put(key, Buffer.from('second'), 'text/plain');
      await store().delete(key);
      expect(await readFile(path, 'utf8')).toBe('first');
    });

    it('fails with the file system error when the folder does not exist', async () => {
      const key = `${freshPrefix()}a`;
      await store().put(key, Buffer.from('x'), 'text/plain');
      await expect(store().fetchToFile(key, join(folder, 'none', 'audio'))).rejects.toMatchObject({
        code: 'ENOENT',
      });
    });
  });
}
