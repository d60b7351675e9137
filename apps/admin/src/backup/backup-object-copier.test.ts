import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type ObjectStore, StoreUnavailableError } from '@app/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BackupDiskGuard } from './backup-disk-guard.js';
import { BackupFolder } from './backup-folder.js';
import { BackupObjectCopier } from './backup-object-copier.js';
import { ProgressLog } from './progress-log.js';

const KEY = 'transcripts/one';
const BYTES = Buffer.from('the bytes of an object');

let folder: BackupFolder;
let pauses: number[];
beforeEach(async () => {
  folder = await BackupFolder.create(await mkdtemp(join(tmpdir(), 'object-copier-')));
  pauses = [];
});
afterEach(() => rm(folder.path, { recursive: true, force: true }));

/** @param failing numbers of the calls of `head` that fail @param cutBodies how many bodies end half way */
function createFailingStore(failing: (call: number) => boolean, cutBodies: number): ObjectStore {
  let [heads, bodies] = [0, 0];
  return {
    head: async () => {
      heads += 1;
      if (failing(heads)) throw new StoreUnavailableError('The store answered 503.');
      return { size: BYTES.length, etag: 'etag', contentType: 'text/plain' };
    },
    get: async () => {
      bodies += 1;
      const isCut = bodies <= cutBodies;
      return Readable.from(
        (async function* () {
          yield BYTES.subarray(0, 5);
          if (isCut) throw new Error('aborted');
          yield BYTES.subarray(5);
        })(),
      );
    },
  } as unknown as ObjectStore;
}

const recordPause = async (ms: number): Promise<void> => void pauses.push(ms);

async function copy(store: ObjectStore, wait = recordPause, stop = new AbortController()) {
  const disk = await BackupDiskGuard.open(folder.path);
  const progress = new ProgressLog(() => undefined);
  const copier = await BackupObjectCopier.open(store, folder, { disk, progress, wait });
  const needed = (async function* () {
    yield { key: KEY, isRequired: true };
  })();
  try {
    await copier.copy(needed, stop.signal);
    return await copier.finish();
  } finally {
    await copier.close();
  }
}

describe('a copy of objects', () => {
  it('goes on after a body that ends half way, and after a store that fails for a while', async () => {
    // The first head succeeds, the second one, after the cut body, does not.
    const summary = await copy(createFailingStore((call) => call > 1 && call < 8, 1));
    expect(summary).toMatchObject({ count: 1, total_bytes: BYTES.length, missing: 0 });
    expect(await readFile(folder.objectPath(KEY))).toEqual(BYTES);
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('ends when the store has failed for minutes, and leaves no part of the object', async () => {
    await expect(copy(createFailingStore(() => false, Infinity))).rejects.toThrow(StoreUnavailableError);
    const waited = pauses.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThan(240_000);
    expect(waited).toBeLessThanOrEqual(300_000);
    await expect(readFile(folder.objectPath(KEY))).rejects.toThrow('ENOENT');
  });

  it('ends during a pause when the connection to the database is lost', async () => {
    const stop = new AbortController();
    const lost = new Error('connection lost');
    const wait = async () => {
      stop.abort(lost);
      stop.signal.throwIfAborted();
    };
    await expect(
      copy(
        createFailingStore(() => true, 0),
        wait,
        stop,
      ),
    ).rejects.toThrow(lost);
  });
});
