import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { buildPackages } from '../../../scripts/lib/packages.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with nothing but the two installed packages. */
    installedPackages: string;
  }
}

/** Packs the client and the command line, and installs both into an empty folder, as callers do. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'clients-'));
  const packed = await buildPackages(join(folder, 'packed'), '0.0.1');
  const installed = join(folder, 'installed');
  await mkdir(installed);
  await writeFile(join(installed, 'package.json'), '{"type":"module","private":true}');
  const parameters = [
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
    ...packed,
  ];
  await promisify(execFile)('npm', parameters, { cwd: installed });
  project.provide('installedPackages', installed);
  return () => rm(folder, { recursive: true, force: true });
}
