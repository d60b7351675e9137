import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { ROOT } from './root.mjs';
import { UserFacingError } from './user-facing-error.mjs';

const CLIENT = join(ROOT, 'packages', 'client');
const CLI = join(ROOT, 'packages', 'cli');

/**
 * Builds the packages for callers and packs each into one file, with the version of the service.
 *
 * @param {string} folder where the packed files go
 * @param {string} version
 * @returns {Promise<string[]>} paths of the packed client and the packed command line
 */
export async function buildPackages(folder, version) {
  const staged = await mkdtemp(join(tmpdir(), 'packages-'));
  try {
    await mkdir(folder, { recursive: true });
    const client = join(staged, 'client');
    await stage(CLIENT, client, version);
    const tsc = ['--project', join(CLIENT, 'tsconfig.build.json'), '--outDir', join(client, 'dist')];
    await run(join(ROOT, 'node_modules', '.bin', 'tsc'), tsc);
    const cli = join(staged, 'cli');
    await stage(CLI, cli, version);
    await bundleCli(join(client, 'dist', 'index.js'), cli, version);
    return [await pack(client, folder), await pack(cli, folder)];
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** What is packed besides the code. */
async function stage(source, target, version) {
  await mkdir(join(target, 'dist'), { recursive: true });
  await cp(join(source, 'README.md'), join(target, 'README.md'));
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  await writeFile(join(target, 'package.json'), JSON.stringify({ ...manifest, version }, null, 2));
}

/** One file that needs no other package, and what it prints about itself: completions and the manual page. */
async function bundleCli(client, target, version) {
  const bundle = await rolldown({
    input: join(CLI, 'src', 'main.ts'),
    platform: 'node',
    resolve: { alias: { 'zephyr-client': client } },
    transform: { define: { ZEPHYR_VERSION: JSON.stringify(version) } },
  });
  const program = join(target, 'dist', 'zephyr.mjs');
  await bundle.write({ file: program, format: 'esm', codeSplitting: false, banner: '#!/usr/bin/env node' });
  await bundle.close();
  await mkdir(join(target, 'completions'));
  for (const shell of ['bash', 'zsh', 'fish'])
    await writeFile(
      join(target, 'completions', `zephyr.${shell}`),
      await run(process.execPath, [program, 'completion', shell]),
    );
  await mkdir(join(target, 'man'));
  await writeFile(
    join(target, 'man', 'zephyr.1'),
    await run(process.execPath, [program, 'completion', 'man']),
  );
}

async function pack(source, folder) {
  const output = await run('npm', [
    'pack',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    folder,
    source,
  ]);
  return join(folder, JSON.parse(output)[0].filename);
}

/** @returns what it printed on stdout */
async function run(command, parameters) {
  try {
    return (await promisify(execFile)(command, parameters, { cwd: ROOT })).stdout;
  } catch (error) {
    throw new UserFacingError(`${command} failed: ${error.message}\n${error.stdout ?? ''}`);
  }
}
