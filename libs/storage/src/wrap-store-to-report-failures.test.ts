import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileObjectStore } from './files/file-object-store.js';
import { wrapStoreToReportFailures } from './wrap-store-to-report-failures.js';
import { ObjectNotFoundError, StoreUnavailableError } from './store-errors.js';

let root: string;
let inner: FileObjectStore;
let failures: string[];
let store: FileObjectStore;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'zephyr-store-'));
  inner = await FileObjectStore.open({
    root,
    publicUrl: 'http://127.0.0.1',
    signingKeys: [{ id: 'k', key: Buffer.alloc(32) }],
  });
  failures = [];
  store = wrapStoreToReportFailures(inner, (operation) => void failures.push(operation));
});
afterEach(async () => {
  await store.close();
  await rm(root, { recursive: true, force: true });
});

describe('wrapStoreToReportFailures', () => {
  it('returns a store that works as before', async () => {
    expect(store).toBeInstanceOf(FileObjectStore);
    await store.put('audio/a', Buffer.from('bytes'), 'audio/wav');
    expect(await store.head('audio/a')).toMatchObject({ size: 5 });
    const keys: string[] = [];
    for await (const { key } of store.list('audio/')) keys.push(key);
    expect(keys).toEqual(['audio/a']);
    await expect(store.get('audio/none')).rejects.toThrow(ObjectNotFoundError);
    expect(failures).toEqual([]);
  });

  it('reports the failed operation and rethrows the error', async () => {
    const away = new StoreUnavailableError('The disk answered EIO.');
    vi.spyOn(inner, 'put').mockRejectedValue(away);
    vi.spyOn(inner, 'list').mockImplementation(async function* () {
      yield await Promise.reject(away);
    });
    await expect(store.put('audio/a', Buffer.from(''), 'audio/wav')).rejects.toBe(away);
    await expect(store.list('audio/')[Symbol.asyncIterator]().next()).rejects.toBe(away);
    expect(failures).toEqual(['put', 'list']);
  });

  it('does not report failures of ping', async () => {
    vi.spyOn(inner, 'ping').mockRejectedValue(new StoreUnavailableError('away'));
    await expect(store.ping()).rejects.toThrow('away');
    expect(failures).toEqual([]);
  });
});
