import { describe, expect, it } from 'vitest';
import type { ListedObject, ObjectStore } from '../object-store.js';
import { freshPrefix, getRejectionErrorName } from './test-helpers.contract.js';

const REFUSED = [
  '',
  '/etc/passwd',
  '../a',
  'a/../b',
  'a//b',
  '%2e%2e/a',
  'a\\b',
  'a\0b',
  'é',
  'a'.repeat(600),
];

export function keysContract(store: () => ObjectStore): void {
  async function keysUnder(prefix: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of store().list(prefix)) keys.push(key);
    return keys;
  }

  async function fill(prefix: string, names: string[]): Promise<void> {
    for (const name of names) await store().put(prefix + name, Buffer.from(name), 'text/plain');
  }

  describe('object keys', () => {
    it('list returns keys in order, also when an object and a folder share a name', async () => {
      const prefix = freshPrefix();
      const names = ['a', 'a-b', 'a.b', 'a/b', 'a/b/c', 'a0', 'aB', 'ab', 'b/=', 'b/_'];
      await fill(prefix, [...names].reverse());
      expect(await keysUnder(prefix)).toEqual(names.map((name) => prefix + name));
      expect(await keysUnder(`${prefix}a/`)).toEqual(['a/b', 'a/b/c'].map((name) => prefix + name));
      expect(await keysUnder(`${prefix}a/b`)).toEqual(['a/b', 'a/b/c'].map((name) => prefix + name));
      expect(await keysUnder(`${prefix}aB`)).toEqual([`${prefix}aB`]);
      expect(await keysUnder(`${prefix}none/`)).toEqual([]);
    });

    it('list returns size and etag', async () => {
      const prefix = freshPrefix();
      const { etag } = await store().put(`${prefix}a`, Buffer.from('four'), 'text/plain');
      const listed: ListedObject[] = [];
      for await (const object of store().list(prefix)) listed.push(object);
      expect(listed).toMatchObject([{ key: `${prefix}a`, size: 4, etag }]);
    });

    it('list returns more than one page', async () => {
      const prefix = freshPrefix();
      const names = Array.from({ length: 1_010 }, (_, index) => String(index).padStart(5, '0'));
      for (let from = 0; from < names.length; from += 10) {
        await Promise.all(
          names.slice(from, from + 10).map((name) => store().put(prefix + name, Buffer.from('x'), 'a/b')),
        );
      }
      expect(await keysUnder(prefix)).toEqual(names.map((name) => prefix + name));
      await store().deletePrefix(prefix);
      expect(await keysUnder(prefix)).toEqual([]);
    });

    it('deleteAll deletes keys and everything below prefixes, and nothing else', async () => {
      const prefix = freshPrefix();
      await fill(prefix, ['a', 'ab', 'b/c', 'b/d/e', 'bc', 'd/e', 'f']);
      const deletion = { keys: [`${prefix}a`, `${prefix}missing`], prefixes: [`${prefix}b/`, `${prefix}d/`] };
      await store().deleteAll(deletion);
      expect(await keysUnder(prefix)).toEqual(['ab', 'bc', 'f'].map((name) => prefix + name));
      await store().deleteAll(deletion);
      await store().deleteAll({ keys: [], prefixes: [] });
      expect(await keysUnder(prefix)).toEqual(['ab', 'bc', 'f'].map((name) => prefix + name));
    });

    it('list stops when its signal is aborted', async () => {
      const prefix = freshPrefix();
      await fill(prefix, ['a', 'b', 'c']);
      const stop = new AbortController();
      const listed: string[] = [];
      const listing = (async () => {
        for await (const { key } of store().list(prefix, stop.signal)) {
          listed.push(key);
          stop.abort(new RangeError('enough'));
        }
      })();
      expect(await getRejectionErrorName(listing)).toBe('RangeError');
      expect(listed).toEqual([`${prefix}a`]);
    });

    it('delete removes one object and deletePrefix only what is below the prefix', async () => {
      const prefix = freshPrefix();
      await fill(prefix, ['a', 'a/b', 'a/c/d', 'ab', 'b']);
      await store().delete(`${prefix}b`);
      await store().deletePrefix(`${prefix}a/`);
      expect(await keysUnder(prefix)).toEqual([`${prefix}a`, `${prefix}ab`]);
      await store().deletePrefix(`${prefix}a/`);
    });

    it.each(REFUSED)('every method rejects the key %j', async (key) => {
      const uses: ((key: string) => Promise<unknown>)[] = [
        async (bad) => store().head(bad),
        async (bad) => store().get(bad),
        async (bad) => store().put(bad, Buffer.from('x'), 'text/plain'),
        async (bad) => store().putIfAbsent(bad, Buffer.from('x'), 'text/plain'),
        async (bad) => store().fetchToFile(bad, '/nowhere'),
        async (bad) => store().delete(bad),
        async (bad) => store().deletePrefix(bad),
        async (bad) => store().deleteAll({ keys: [], prefixes: [bad] }),
        async (bad) => store().presignPut({ key: bad, contentType: 'a/b', expiresIn: 60 }),
        async (bad) => store().presignGet({ key: bad, expiresIn: 60 }),
        async (bad) => store().presignPart({ key: bad, uploadId: 'u', partNumber: 1, expiresIn: 60 }),
        async (bad) => store().createMultipart(bad, 'a/b'),
        async (bad) => store().completeMultipart(bad, 'u', []),
        async (bad) => store().abortMultipart(bad, 'u'),
      ];
      for (const use of uses) expect(await getRejectionErrorName(use(key))).toBe('InvalidObjectKeyError');
    });
  });
}
