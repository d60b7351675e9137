import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildEnvironment } from './support/program.js';

const FOLDER = 'node_modules/';
const COMMAND_MS = 60_000;
const run = promisify(execFile);

interface LockedPackage {
  dev?: boolean;
  devOptional?: boolean;
}

let install: string;

async function help(...command: string[]): Promise<string> {
  const main = join(install, 'dist', 'apps', 'admin', 'src', 'main.js');
  const options = { env: buildEnvironment({}), cwd: '/', timeout: COMMAND_MS };
  return (await run(process.execPath, [main, ...command, '--help'], options)).stdout;
}

/** Names of the packages that the bundled programs load from `node_modules`. */
async function listLoadedPackages(): Promise<Set<string>> {
  const packed = join(install, 'dist', 'packed');
  const names = new Set<string>();
  for (const file of (await readdir(packed)).filter((name) => name.endsWith('.cjs'))) {
    const source = await readFile(join(packed, file), 'utf8');
    for (const [, id = ''] of source.matchAll(/\b(?:require|importModule)\("([^".][^"]*)"\)/g))
      if (!isBuiltin(id)) names.add(/^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id);
  }
  return names;
}

/** Names of the packages of which the lock file has a copy for production, at whatever depth. */
async function listProductionPackages(): Promise<Set<string>> {
  const lock = await readFile(join(install, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: Record<string, LockedPackage> };
  return new Set(
    Object.entries(packages)
      .filter(([, { dev = false, devOptional = false }]) => !dev && !devOptional)
      .map(([path]) => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)),
  );
}

/** @param getFolder with the build and its packages after `npm prune --omit=dev`, as an image contains them */
export function describePrunedInstall(getFolder: () => string): void {
  beforeAll(() => {
    install = getFolder();
  });

  describe('an install without development packages', () => {
    it('contains none', async () => {
      const names = await readdir(join(install, 'node_modules'));
      expect(names).toContain('fastify');
      expect(names).not.toContain('vitest');
    });

    it('runs the operator program', async () => {
      expect(await help()).toMatch(/^Usage: .*\n/);
      expect(await help('accounts')).toMatch(/^Usage: .* accounts /);
    });

    it('has each production package that the bundled programs load where they look for it', async () => {
      const production = await listProductionPackages();
      const loaded = [...(await listLoadedPackages())].filter((name) => production.has(name));
      expect(loaded).toEqual(expect.arrayContaining(['pg', 'pino']));
      const missing = loaded.filter((name) => !existsSync(join(install, FOLDER, name)));
      expect(missing).toEqual([]);
    });
  });
}
