import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../lib/root.mjs';
import { KNOWN_INSTALL_SCRIPTS } from './install-scripts.mjs';
import { judgeLock } from './judge-lock.mjs';
import { readInstalledManifests, readLockedPackages } from './lock.mjs';

const locked = (changes = {}) => ({
  path: 'node_modules/a',
  name: 'a',
  version: '1.0.0',
  integrity: 'sha512-abc',
  optional: false,
  bound: false,
  hasInstallScript: false,
  ...changes,
});
const forAnother = { integrity: undefined, optional: true, bound: true };

describe('packages of the lock file', () => {
  it('pass as they are in this project, without an install script that is missed', async () => {
    const packages = await readLockedPackages();
    const manifests = await readInstalledManifests(packages);
    expect(manifests.size).toBeGreaterThan(200);
    expect(judgeLock(packages, manifests, KNOWN_INSTALL_SCRIPTS)).toEqual([]);
  });

  it('may not ask for an install script, by lock file or by what is installed', () => {
    const line = 'a 1.0.0 asks for an install script: see docs/adr/0002-no-install-scripts.md';
    const manifests = new Map([['node_modules/a', { scripts: { postinstall: 'node run.js' } }]]);
    expect(judgeLock([locked({ hasInstallScript: true })], new Map(), [])).toEqual([line]);
    expect(judgeLock([locked()], manifests, [])).toEqual([line]);
    expect(judgeLock([locked()], new Map([['node_modules/a', { scripts: { test: 'x' } }]]), [])).toEqual([]);
  });

  it.each(['a', 'a*'])('may, when the list knows %s and why', (name) => {
    expect(judgeLock([locked({ hasInstallScript: true })], new Map(), [{ name, reason: 'r' }])).toEqual([]);
  });

  it('leave no name on the list that is not needed', () => {
    expect(judgeLock([locked()], new Map(), [{ name: 'a', reason: 'r' }])).toEqual([
      'a is no longer in package-lock.json: strike it from the list',
    ]);
  });

  it.each([undefined, 'sha1-abc'])('have a strong checksum, not %s', (integrity) => {
    expect(judgeLock([locked({ integrity })], new Map(), [])).toEqual([
      'a 1.0.0 has no SHA-512 in package-lock.json: install it anew',
    ]);
  });

  it('may lack the checksum for another system only, and only while they are not installed', () => {
    expect(judgeLock([locked(forAnother)], new Map(), [])).toEqual([]);
    expect(judgeLock([locked({ ...forAnother, bound: false })], new Map(), [])).toHaveLength(1);
    expect(judgeLock([locked(forAnother)], new Map([['node_modules/a', {}]]), [])).toHaveLength(1);
  });

  it('come from the registry alone', () => {
    const [trouble] = judgeLock([locked({ resolved: 'git+ssh://host/a.git#1' })], new Map(), []);
    expect(trouble).toContain('a 1.0.0 comes from git+ssh://host/a.git#1');
  });

  it('run nothing when they are installed: the setting of npm says so', async () => {
    expect(await readFile(`${ROOT}/.npmrc`, 'utf8')).toMatch(/^ignore-scripts=true$/m);
  });
});
