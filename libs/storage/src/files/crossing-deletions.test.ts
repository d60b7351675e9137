import { mkdtemp, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDirectoryDurably } from './durable-writes.js';
import { FileStoreLayout } from './file-store-layout.js';
import { FileStoreObjects } from './file-store-objects.js';

const MOVES = 15;
/** Fewer than a move has attempts. */
const TIDIED_PER_MOVE = 4;

let folder: string;
let layout: FileStoreLayout;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-store-'));
  layout = new FileStoreLayout(folder);
  for (const place of [layout.objectsDirectory, layout.temporaryDirectory])
    await createDirectoryDurably(place);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('writing an object while the last other object of its directory is deleted', () => {
  it('creates the directory again whenever the empty one is removed', async () => {
    const files = new FileStoreObjects(layout);
    const { allow, stop } = tidying([layout.directoryPath('a/b/c'), layout.directoryPath('a/b')]);
    const lost: unknown[] = [];
    for (let move = 0; move < MOVES; move += 1) {
      const [from, to] = [layout.newTemporaryPath(), layout.dataPath('a/b/c', `${move}`)];
      await writeFile(from, '');
      allow();
      await files.moveBesideRecord('a/b/c', from, to).then(
        () => unlink(to),
        (error: unknown) => lost.push(error),
      );
    }
    await stop();
    expect(lost).toEqual([]);
  });
});

/** Removes the folders whenever they are empty, a few times each time that is allowed. */
function tidying(folders: string[]) {
  let allowed = 0;
  const ending = new AbortController();
  const work = async () => {
    while (!ending.signal.aborted) {
      const removed =
        allowed > 0 &&
        (await rmdir(folders[0] ?? '').then(
          () => true,
          () => false,
        ));
      if (removed) allowed -= 1;
      for (const above of removed ? folders.slice(1) : []) await rmdir(above).catch(() => undefined);
      await setImmediate();
    }
  };
  const ended = work();
  return {
    allow: () => void (allowed = TIDIED_PER_MOVE),
    stop: () => {
      ending.abort();
      return ended;
    },
  };
}
