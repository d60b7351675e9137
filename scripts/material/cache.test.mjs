import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheFile, cacheFiles } from './cache.mjs';

describe('the cache of material', () => {
  let folder = '';
  let createdCount = 0;
  const createFile = async (path) => {
    createdCount += 1;
    await writeFile(path, 'sound');
  };

  beforeEach(async () => {
    createdCount = 0;
    folder = await mkdtemp(join(tmpdir(), 'zephyr-cache-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('creates a file once', async () => {
    const options = { name: 'a', extension: 'wav', from: { seconds: 3 }, folder };
    const path = await cacheFile(options, createFile);
    expect(await cacheFile(options, createFile)).toBe(path);
    expect(await readFile(path, 'utf8')).toBe('sound');
    expect(createdCount).toBe(1);
  });

  it('creates another file for another origin', async () => {
    const one = await cacheFile({ name: 'a', extension: 'wav', from: 1, folder }, createFile);
    const other = await cacheFile({ name: 'a', extension: 'wav', from: 2, folder }, createFile);
    expect(other).not.toBe(one);
    expect(createdCount).toBe(2);
  });

  it('renames files into place only when all are complete', async () => {
    const options = { name: 'a', extensions: ['wav', 'json'], from: 1, folder };
    const paths = await cacheFiles(options, async ([wav, json]) => {
      await writeFile(wav, 'sound');
      expect((await readdir(folder)).filter((name) => !name.startsWith('.'))).toEqual([]);
      await writeFile(json, 'metadata');
    });
    expect(await Promise.all(paths.map((path) => readFile(path, 'utf8')))).toEqual(['sound', 'metadata']);
  });

  it('returns the same complete file to concurrent callers and leaves no drafts', async () => {
    let startedCount = 0;
    let resolveBothStarted = () => {};
    const bothStarted = new Promise((resolve) => (resolveBothStarted = resolve));
    const createWhenBothStarted = async (path) => {
      startedCount += 1;
      if (startedCount === 2) resolveBothStarted();
      await bothStarted;
      await createFile(path);
    };
    const options = { name: 'a', extension: 'wav', from: 1, folder };
    const [one, other] = await Promise.all([
      cacheFile(options, createWhenBothStarted),
      cacheFile(options, createWhenBothStarted),
    ]);
    expect(other).toBe(one);
    expect(createdCount).toBe(2);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('deletes the drafts when the creation fails', async () => {
    const failingCreate = async (path) => {
      await writeFile(path, 'half');
      throw new Error('No sound.');
    };
    const options = { name: 'a', extension: 'wav', from: 1, folder };
    await expect(cacheFile(options, failingCreate)).rejects.toThrow('No sound.');
    expect(await readdir(folder)).toEqual([]);
  });
});
