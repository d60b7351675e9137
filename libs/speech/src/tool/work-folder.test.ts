import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLeft } from './work-folder.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-left-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('what a program has left', () => {
  it('is read up to its end', async () => {
    const path = join(folder, 'words');
    await writeFile(path, 'nine tén\n');
    expect(await readLeft(path, 10)).toBe('nine tén\n');
    await expect(readLeft(path, 9)).rejects.toThrow('longer than 9 bytes');
  });

  it('is not read through a link, nor waited for at a pipe', async () => {
    const [link, pipe] = [join(folder, 'link'), join(folder, 'pipe')];
    await symlink('/dev/zero', link);
    execFileSync('mkfifo', [pipe]);
    await expect(readLeft(link, 10)).rejects.toThrow('ELOOP');
    expect(await readLeft(pipe, 10)).toBe('');
  });
});
