import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ObjectStore, UploadedPart } from '../object-store.js';
import { InvalidPartsError } from '../store-errors.js';
import {
  replaceQueryParameter,
  formatLengthAndSha256,
  freshPrefix,
  MIB,
  readAll,
  getRejectionErrorName,
} from './test-helpers.contract.js';

/** The smallest part that S3 takes anywhere but at the end. */
const PART = 5 * MIB;

export function multipartContract(store: () => ObjectStore): void {
  async function putPart(
    key: string,
    uploadId: string,
    partNumber: number,
    body: Buffer,
  ): Promise<UploadedPart> {
    const address = await store().presignPart({
      key,
      uploadId,
      partNumber,
      expiresIn: 600,
      maxBytes: 8 * MIB,
    });
    const response = await fetch(address, { method: 'PUT', body });
    expect(response.status).toBe(200);
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]+"$/);
    return { partNumber, etag };
  }

  async function refusedParts(key: string, uploadId: string, parts: UploadedPart[], partSize?: number) {
    const error: unknown = await store()
      .completeMultipart(key, uploadId, parts, partSize)
      .then(
        () => 'completed',
        (reason: unknown) => reason,
      );
    if (!(error instanceof InvalidPartsError))
      throw new Error('The parts were not rejected.', { cause: error });
    return error;
  }

  async function rejection(key: string, uploadId: string, parts: UploadedPart[]) {
    const { index, field } = await refusedParts(key, uploadId, parts);
    return { index, field };
  }

  async function listed(prefix: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of store().list(prefix)) keys.push(key);
    return keys;
  }

  describe('multipart uploads', () => {
    it('combine parts that were sent in any order, one of them twice, into one object', async () => {
      const prefix = freshPrefix();
      const key = `${prefix}a`;
      const bodies = [randomBytes(PART), randomBytes(PART), randomBytes(77)] as const;
      const uploadId = await store().createMultipart(key, 'audio/flac');
      const third = await putPart(key, uploadId, 4, bodies[2]);
      const replaced = await putPart(key, uploadId, 1, Buffer.alloc(PART));
      const first = await putPart(key, uploadId, 1, bodies[0]);
      const second = await putPart(key, uploadId, 2, bodies[1]);
      expect(await store().head(key)).toBeNull();
      expect(await listed(prefix)).toEqual([]);
      expect(await rejection(key, uploadId, [replaced, second, third])).toEqual({ index: 0, field: 'etag' });

      const whole = Buffer.concat(bodies);
      const info = await store().completeMultipart(key, uploadId, [first, second, third]);
      expect(info).toMatchObject({ key, size: whole.length, contentType: 'audio/flac' });
      expect(await store().head(key)).toMatchObject({ size: whole.length, etag: info.etag });
      expect(await listed(prefix)).toEqual([key]);
      expect(formatLengthAndSha256(await readAll(await store().get(key)))).toBe(formatLengthAndSha256(whole));
      const across = await readAll(await store().get(key, { start: PART - 5, end: 2 * PART + 5 }));
      expect(formatLengthAndSha256(across)).toBe(
        formatLengthAndSha256(whole.subarray(PART - 5, 2 * PART + 6)),
      );

      const folder = await mkdtemp(join(tmpdir(), 'zephyr-fetch-'));
      await store().fetchToFile(key, join(folder, 'a'), { ifEtag: info.etag });
      expect(formatLengthAndSha256(await readFile(join(folder, 'a')))).toBe(formatLengthAndSha256(whole));
      const beforeCopy = () => Promise.reject(new Error('no room'));
      await expect(store().fetchToFile(key, join(folder, 'b'), { beforeCopy })).rejects.toThrow('no room');
      expect(await readdir(folder)).toEqual(['a']);
      await rm(folder, { recursive: true });

      // A caller whose first completion succeeded but whose response was lost.
      const again = await store().completeMultipart(key, uploadId, [first, second, third]);
      expect(again).toMatchObject({ etag: info.etag, size: whole.length });

      const overwriting = await store().put(key, Buffer.from('small'), 'text/plain');
      expect(await store().head(key)).toMatchObject({ etag: overwriting.etag, size: 5 });
    });

    it('name the part that does not match and can be completed afterwards', async () => {
      const key = `${freshPrefix()}a`;
      const uploadId = await store().createMultipart(key, 'audio/flac');
      const first = await putPart(key, uploadId, 1, Buffer.alloc(PART, 1));
      const second = await putPart(key, uploadId, 2, Buffer.alloc(9, 2));
      const part = { index: 1, field: 'part_number' };
      expect(await rejection(key, uploadId, [])).toEqual({ index: 0, field: 'upload' });
      expect(await rejection(key, uploadId, [first, { ...second, partNumber: 3 }])).toEqual(part);
      expect(await rejection(key, uploadId, [first, first])).toEqual(part);
      expect(await rejection(key, uploadId, [second, first])).toEqual(part);
      expect(await rejection(key, uploadId, [first, { ...second, etag: first.etag }])).toEqual({
        index: 1,
        field: 'etag',
      });
      expect(await rejection(key, uploadId, [first, { ...second, etag: '../../x' }])).toEqual({
        index: 1,
        field: 'etag',
      });
      expect(await rejection(key, uploadId, [first])).toEqual({ index: 1, field: 'upload' });
      expect(await rejection(key, uploadId, [second])).toEqual({ index: 1, field: 'upload' });
      expect((await store().completeMultipart(key, uploadId, [first, second])).size).toBe(PART + 9);
    });

    it('reject a missing part, and one of another size than planned unless it is the last, until it is sent again', async () => {
      const key = `${freshPrefix()}a`;
      const uploadId = await store().createMultipart(key, 'audio/flac');
      const put = (number: number, size: number) =>
        putPart(key, uploadId, number, Buffer.alloc(size, number));
      const [first, last] = [await put(1, PART), await put(3, 77)];
      const withGap = await refusedParts(key, uploadId, [first, last], PART);
      expect(withGap).toMatchObject({ index: 1, field: 'upload' });
      expect(withGap.reason).toContain('Part 2 is missing');
      for (const size of [1_000, PART + 1, PART - 1]) {
        const parts = [first, await put(2, size), last];
        const { index, field, reason } = await refusedParts(key, uploadId, parts, PART);
        expect({ index, field }).toEqual({ index: 1, field: 'part_number' });
        expect(reason).toBe(
          `Part 2 has ${size} bytes; every part but the last must have ${PART}. PUT it again.`,
        );
      }
      const parts = [first, await put(2, PART), last];
      const whole = { size: 2 * PART + 77 };
      expect(await store().completeMultipart(key, uploadId, parts, PART)).toMatchObject(whole);
      expect(await store().completeMultipart(key, uploadId, parts, PART)).toMatchObject(whole);
    });

    it('accept nothing after they were aborted or completed', async () => {
      const key = `${freshPrefix()}a`;
      const aborted = await store().createMultipart(key, 'audio/flac');
      const part = await putPart(key, aborted, 1, Buffer.from('x'));
      const toAborted = await store().presignPart({ key, uploadId: aborted, partNumber: 2, expiresIn: 600 });
      await store().abortMultipart(key, aborted);
      await store().abortMultipart(key, aborted);
      expect([403, 404]).toContain((await fetch(toAborted, { method: 'PUT', body: 'y' })).status);
      expect(await rejection(key, aborted, [part])).toEqual({ index: 0, field: 'upload' });

      const completed = await store().createMultipart(key, 'audio/flac');
      const only = await putPart(key, completed, 1, Buffer.from('whole'));
      const toCompleted = await store().presignPart({
        key,
        uploadId: completed,
        partNumber: 1,
        expiresIn: 600,
      });
      await store().completeMultipart(key, completed, [only]);
      expect([403, 404]).toContain((await fetch(toCompleted, { method: 'PUT', body: 'swapped' })).status);
      await store().abortMultipart(key, completed);
      expect((await readAll(await store().get(key))).toString()).toBe('whole');
    });

    it('reject a part URL for another part, upload or object', async () => {
      const key = `${freshPrefix()}a`;
      const uploadId = await store().createMultipart(key, 'audio/flac');
      const other = await store().createMultipart(key, 'audio/flac');
      const address = await store().presignPart({ key, uploadId, partNumber: 1, expiresIn: 600 });
      const status = async (url: string) => (await fetch(url, { method: 'PUT', body: 'x' })).status;
      expect(await status(replaceQueryParameter(address, /^part/i, () => '2'))).toBe(403);
      expect(await status(replaceQueryParameter(address, /^upload_?id$/i, () => other))).toBe(403);
      expect(await status(address.replace(key, `${key}b`))).toBe(403);
      expect(await status(address)).toBe(200);
      await store().abortMultipart(key, uploadId);
      await store().abortMultipart(key, other);
    });

    it('are listed while they are open, with a mark that changes with every part', async () => {
      const prefix = freshPrefix();
      const open = async () => {
        const found = new Map<string, string>();
        for await (const { key, uploadId, readPartsVersion } of store().listUploads(prefix))
          found.set(`${key} ${uploadId}`, await readPartsVersion());
        return found;
      };
      const [key, other] = [`${prefix}a`, `${prefix}b`];
      const uploadId = await store().createMultipart(key, 'audio/flac');
      const ended = await store().createMultipart(other, 'audio/flac');
      const elsewhere = await store().createMultipart(`${freshPrefix()}a`, 'audio/flac');
      const before = await open();
      expect([...before.keys()].toSorted()).toEqual([`${key} ${uploadId}`, `${other} ${ended}`]);
      expect([...before.values()]).toEqual(['', '']);
      await putPart(key, uploadId, 1, Buffer.from('one'));
      const after = await open();
      expect(after.get(`${key} ${uploadId}`)).not.toBe(before.get(`${key} ${uploadId}`));
      expect(after.get(`${other} ${ended}`)).toBe(before.get(`${other} ${ended}`));
      await store().completeMultipart(other, ended, [await putPart(other, ended, 1, Buffer.from('whole'))]);
      await store().abortMultipart(key, uploadId);
      expect((await open()).size).toBe(0);
      expect(elsewhere).not.toBe(uploadId);
    });

    it('stop listing when the signal is aborted', async () => {
      const key = `${freshPrefix()}a`;
      const opened = [await store().createMultipart(key, 'a/b'), await store().createMultipart(key, 'a/b')];
      const stop = new AbortController();
      let seen = 0;
      const listing = (async () => {
        for await (const _ of store().listUploads(key, stop.signal)) {
          seen += 1;
          stop.abort(new RangeError('enough'));
        }
      })();
      expect(await getRejectionErrorName(listing)).toBe('RangeError');
      expect(seen).toBe(1);
      for (const uploadId of opened) await store().abortMultipart(key, uploadId);
    });

    it('accept only the complete list of several concurrent completions', async () => {
      const key = `${freshPrefix()}a`;
      const uploadId = await store().createMultipart(key, 'audio/flac');
      const parts = [await putPart(key, uploadId, 1, randomBytes(PART))];
      parts.push(await putPart(key, uploadId, 2, Buffer.from('two')));
      const lists = [parts, parts.slice(1), parts.slice(0, 1), parts];
      const ends = await Promise.allSettled(
        lists.map((list) => store().completeMultipart(key, uploadId, list)),
      );
      const stored = await store().head(key);
      const won = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.etag] : []));
      expect(won.length).toBeGreaterThan(0);
      expect(stored?.size).toBe(PART + 3);
      expect(new Set(won)).toEqual(new Set([stored?.etag]));
      for (const list of [parts, parts.slice(1), parts.slice(0, 1)])
        await store()
          .completeMultipart(key, uploadId, list)
          .catch(() => undefined);
      expect((await store().head(key))?.etag).toBe(stored?.etag);
    });
  });
}
