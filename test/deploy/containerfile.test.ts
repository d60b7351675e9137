import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const readLines = async (path: string) => (await readFile(`${ROOT}${path}`, 'utf8')).split('\n');

/** The paths that the Containerfile copies from the checkout, not from another stage. */
async function listCopiedPaths(): Promise<string[]> {
  const lines = await readLines('deploy/Containerfile');
  return lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));
}

describe('the Containerfile', () => {
  it('copies only paths that exist', async () => {
    const paths = await listCopiedPaths();
    expect(paths.length).toBeGreaterThan(3);
    expect(paths.filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([]);
  });

  it('copies only paths that .dockerignore admits', async () => {
    const admitted = (await readLines('.dockerignore'))
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const refused = (await listCopiedPaths()).filter(
      (path) => path !== '.' && !admitted.some((entry) => path === entry || path.startsWith(`${entry}/`)),
    );
    expect(refused).toEqual([]);
    expect(admitted.filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([]);
  });

  it('runs only the copied scripts', async () => {
    const copied = (await listCopiedPaths()).map((path) => path.split('/').at(-1));
    const lines = await readLines('deploy/Containerfile');
    const used = lines.flatMap((line) => line.match(/(?<=\s)\/[\w-]+\.(?:sh|ts)\b/g) ?? []);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((path) => !copied.includes(path.slice(1)))).toEqual([]);
  });
});
