import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cached, cachedFiles } from './cache.mjs';

describe('the cache', () => {
  let folder = '';
  let made = 0;
  const make = async (path) => {
    made += 1;
    await writeFile(path, 'sound');
  };

  beforeEach(async () => {
    made = 0;
    folder = await mkdtemp(join(tmpdir(), 'zephyr-cache-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('makes a thing once', async () => {
    const what = { name: 'a', extension: 'wav', from: { seconds: 3 }, folder };
    const path = await cached(what, make);
    expect(await cached(what, make)).toBe(path);
    expect(await readFile(path, 'utf8')).toBe('sound');
    expect(made).toBe(1);
  });

  it('keeps what is made from something else apart', async () => {
    const one = await cached({ name: 'a', extension: 'wav', from: 1, folder }, make);
    const other = await cached({ name: 'a', extension: 'wav', from: 2, folder }, make);
    expect(other).not.toBe(one);
    expect(made).toBe(2);
  });

  it('shows a file only when it is whole, and the last of several last', async () => {
    const what = { name: 'a', extensions: ['wav', 'json'], from: 1, folder };
    const paths = await cachedFiles(what, async ([wav, json]) => {
      await writeFile(wav, 'sound');
      expect((await readdir(folder)).filter((name) => !name.startsWith('.'))).toEqual([]);
      await writeFile(json, 'sheet');
    });
    expect(await Promise.all(paths.map((path) => readFile(path, 'utf8')))).toEqual(['sound', 'sheet']);
  });

  it('gives two that make the same at once a whole file each, and leaves no drafts', async () => {
    // Both have begun before either may end.
    let begun = 0;
    let letGo = () => {};
    const bothBegan = new Promise((resolve) => (letGo = resolve));
    const together = async (path) => {
      begun += 1;
      if (begun === 2) letGo();
      await bothBegan;
      await make(path);
    };
    const what = { name: 'a', extension: 'wav', from: 1, folder };
    const [one, other] = await Promise.all([cached(what, together), cached(what, together)]);
    expect(other).toBe(one);
    expect(made).toBe(2);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('leaves nothing of what could not be made', async () => {
    const broken = async (path) => {
      await writeFile(path, 'half');
      throw new Error('No sound.');
    };
    const what = { name: 'a', extension: 'wav', from: 1, folder };
    await expect(cached(what, broken)).rejects.toThrow('No sound.');
    expect(await readdir(folder)).toEqual([]);
  });
});
