import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCaptured } from '../lib/command.mjs';
import { ROOT } from '../lib/root.mjs';
import {
  findLockProblems,
  KNOWN_INSTALL_SCRIPTS,
  readInstalledManifests,
  readLockedPackages,
} from './lock.mjs';

const makeLockedPackage = (changes = {}) => ({
  path: 'node_modules/a',
  name: 'a',
  version: '1.0.0',
  integrity: 'sha512-abc',
  forOtherSystems: false,
  hasInstallScript: false,
  ...changes,
});

describe('readLockedPackages', () => {
  it('returns the licence of its dependent for an optional package without one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockfile-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const packages = {
      'node_modules/a': { version: '1.0.0', license: 'MIT', optionalDependencies: { 'a-win32': '1.0.0' } },
      'node_modules/a-win32': { version: '1.0.0', optional: true, os: ['win32'] },
    };
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
    const read = await readLockedPackages(folder);
    expect(read.map(({ name, licence }) => [name, licence])).toEqual([
      ['a', 'MIT'],
      ['a-win32', 'MIT'],
    ]);
  });

  it('derives the systems of a bundled package from the package whose archive contains it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockfile-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const packages = {
      'node_modules/a': { version: '1.0.0' },
      'node_modules/a/node_modules/b': { version: '1.0.0', inBundle: true, optional: true },
      'node_modules/a-wasm': { version: '1.0.0', optional: true, cpu: ['wasm32'] },
      'node_modules/a-wasm/node_modules/b': { version: '1.0.0', inBundle: true, optional: true },
      'node_modules/b': { version: '1.0.0', inBundle: true, optional: true },
    };
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
    const read = await readLockedPackages(folder);
    expect(read.map(({ forOtherSystems }) => forOtherSystems)).toEqual([false, false, true, true, false]);
  });
});

describe('findLockProblems', () => {
  it('finds no problem in the lock file of this project', async () => {
    const packages = await readLockedPackages();
    const manifests = await readInstalledManifests(packages);
    expect(manifests.size).toBeGreaterThan(200);
    expect(findLockProblems(packages, manifests, KNOWN_INSTALL_SCRIPTS)).toEqual([]);
  });

  it('finds install scripts in the lock file and in installed packages', () => {
    const line = 'a 1.0.0 has an install script: see docs/adr/0002-no-install-scripts.md';
    const manifests = new Map([['node_modules/a', { scripts: { postinstall: 'node run.js' } }]]);
    expect(findLockProblems([makeLockedPackage({ hasInstallScript: true })], new Map(), [])).toEqual([line]);
    expect(findLockProblems([makeLockedPackage()], manifests, [])).toEqual([line]);
    const harmless = new Map([['node_modules/a', { scripts: { test: 'x' } }]]);
    expect(findLockProblems([makeLockedPackage()], harmless, [])).toEqual([]);
  });

  it.each(['a', 'a*'])('accepts an install script listed as %s', (name) => {
    const known = [{ name, reason: 'r' }];
    expect(findLockProblems([makeLockedPackage({ hasInstallScript: true })], new Map(), known)).toEqual([]);
  });

  it('finds listed install scripts that no longer exist', () => {
    expect(findLockProblems([makeLockedPackage()], new Map(), [{ name: 'a', reason: 'r' }])).toEqual([
      'a is no longer in package-lock.json: remove it from the list',
    ]);
  });

  it('finds missing checksums, except of packages for other systems that are not installed', () => {
    const withoutChecksum = makeLockedPackage({ integrity: undefined });
    expect(findLockProblems([withoutChecksum], new Map(), [])).toEqual([
      'a 1.0.0 has no checksum in package-lock.json: reinstall it',
    ]);
    const forOthers = [{ ...withoutChecksum, forOtherSystems: true }];
    expect(findLockProblems(forOthers, new Map(), [])).toEqual([]);
    expect(findLockProblems(forOthers, new Map([['node_modules/a', {}]]), [])).toHaveLength(1);
  });
});

describe('the configuration of lockfile-lint', () => {
  const lintLockfile = async (entry) => {
    const folder = await mkdtemp(join(tmpdir(), 'lockfile-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'package-lock.json');
    const packages = { '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-abc', ...entry } };
    await writeFile(path, JSON.stringify({ lockfileVersion: 3, packages }));
    return runCaptured('node_modules/.bin/lockfile-lint', ['--path', path]);
  };

  it('accepts a package of the registry with its SHA-512', async () => {
    expect((await lintLockfile({})).code).toBe(0);
  });

  it.each([
    [{ resolved: 'git+ssh://host/a.git#1' }, 'invalid host'],
    [{ resolved: 'https://elsewhere.example/a/-/a-1.0.0.tgz' }, 'invalid host'],
    [{ resolved: 'http://registry.npmjs.org/a/-/a-1.0.0.tgz' }, 'invalid protocol'],
    [{ resolved: 'https://registry.npmjs.org/b/-/b-1.0.0.tgz' }, 'different name'],
    [{ integrity: 'sha1-abc' }, 'invalid integrity hash type'],
  ])('rejects %j', async (entry, message) => {
    const { code, output } = await lintLockfile(entry);
    expect(code).toBe(1);
    expect(output).toContain(message);
  });
});

describe('.npmrc', () => {
  it('disables install scripts', async () => {
    expect(await readFile(`${ROOT}/.npmrc`, 'utf8')).toMatch(/^ignore-scripts=true$/m);
  });
});
