import { mkdtemp, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDirectory } from './durable.js';
import { Layout } from './layout.js';
import { ObjectFiles } from './object-files.js';

const MOVES = 15;
/** Fewer than a move has attempts. */
const TIDIED_PER_MOVE = 4;

let folder: string;
let layout: Layout;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-store-'));
  layout = new Layout(folder);
  for (const place of [layout.objects, layout.tmp]) await makeDirectory(place);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('an object that comes while the last one of its folder goes', () => {
  it('gets a folder again, whenever the empty one is tidied away', async () => {
    const files = new ObjectFiles(layout);
    const { allow, stop } = tidying([layout.directory('a/b/c'), layout.directory('a/b')]);
    const lost: unknown[] = [];
    for (let move = 0; move < MOVES; move += 1) {
      const [from, to] = [layout.temporary(), layout.data('a/b/c', `${move}`)];
      await writeFile(from, '');
      allow();
      await files.moveBeside('a/b/c', from, to).then(
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
