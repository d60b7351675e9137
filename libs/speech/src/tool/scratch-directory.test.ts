import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readUntrustedFile } from './scratch-directory.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-left-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('readUntrustedFile', () => {
  it('reads a file to its end', async () => {
    const path = join(folder, 'words');
    await writeFile(path, 'nine tén\n');
    expect(await readUntrustedFile(path, 10)).toBe('nine tén\n');
    await expect(readUntrustedFile(path, 9)).rejects.toThrow('longer than 9 bytes');
  });

  it('does not follow a link or block on a pipe', async () => {
    const [link, pipe] = [join(folder, 'link'), join(folder, 'pipe')];
    await symlink('/dev/zero', link);
    execFileSync('mkfifo', [pipe]);
    await expect(readUntrustedFile(link, 10)).rejects.toThrow('ELOOP');
    expect(await readUntrustedFile(pipe, 10)).toBe('');
  });
});
