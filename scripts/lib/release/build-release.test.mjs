import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../root.mjs';
import { belongsToRelease, listPackageFolders } from './build-release.mjs';

describe('a release', () => {
  it.each([
    `${ROOT}/deploy/compose/.env`,
    `${ROOT}/deploy/compose/somewhere/.env`,
    `${ROOT}/dist/.built-from`,
  ])('does not contain %s', (path) => expect(belongsToRelease(path)).toBe(false));

  it.each([`${ROOT}/deploy/compose`, `${ROOT}/deploy/compose/.env.example`, `${ROOT}/dist/env`])(
    'contains %s',
    (path) => expect(belongsToRelease(path)).toBe(true),
  );

  it('gets the packages and what npm knows of them, but not the caches of tools', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'packages-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const names = ['.bin', '.cache', '.package-lock.json', '.vite', '@scope', 'fastify'];
    for (const name of names) await mkdir(join(folder, name));
    const expected = ['.bin', '.package-lock.json', '@scope', 'fastify'].map((name) => join(folder, name));
    expect((await listPackageFolders(folder)).toSorted()).toEqual(expected);
  });
});

it('git ignores the settings of an installation, but not their example', async () => {
  const isIgnored = (path) =>
    promisify(execFile)('git', ['check-ignore', '--no-index', '--quiet', path], { cwd: ROOT }).then(
      () => true,
      () => false,
    );
  expect(await isIgnored('deploy/compose/.env')).toBe(true);
  expect(await isIgnored('deploy/compose/.env.example')).toBe(false);
});
