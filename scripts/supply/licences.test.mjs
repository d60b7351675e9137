import { describe, expect, it } from 'vitest';
import { ALLOWED, findLicenceProblems, findPackageProblems } from './licences.mjs';
import { readInstalledManifests, readLockedPackages } from './lock.mjs';
import { PROGRAMS_TO_RUN, PROGRAMS_TO_TEST } from './programs.mjs';

const makeLockedPackage = (changes = {}) => ({
  path: 'node_modules/a',
  name: 'a',
  version: '1.0.0',
  licence: 'MIT',
  dev: false,
  ...changes,
});
const findProblems = (changes, manifest) =>
  findPackageProblems([makeLockedPackage(changes)], new Map(manifest && [['node_modules/a', manifest]]));

describe('findPackageProblems', () => {
  it('finds no problem in the packages of this project', async () => {
    const packages = await readLockedPackages();
    expect(packages.length).toBeGreaterThan(400);
    expect(findPackageProblems(packages, await readInstalledManifests(packages))).toEqual([]);
  });

  it.each([
    [{ licence: undefined }, 'a 1.0.0: no known licence'],
    [{ licence: 'GPL-3.0-only' }, 'a 1.0.0: GPL-3.0-only is not on the list'],
    [{ licence: 'SEE LICENSE IN x' }, 'a 1.0.0: SEE LICENSE IN x is not on the list'],
    [{ licence: 'MPL-2.0' }, 'a 1.0.0: MPL-2.0 is not on the list'],
  ])('rejects %j', (changes, problem) => {
    expect(findProblems(changes)).toEqual([problem]);
  });

  it('accepts the Mozilla licence for packages of build and tests', () => {
    expect(findProblems({ licence: 'MPL-2.0', dev: true })).toEqual([]);
  });

  it('compares the lock file with the installed package', () => {
    expect(findProblems({}, { license: 'MIT' })).toEqual([]);
    expect(findProblems({}, { license: 'AGPL-3.0-only' })).toEqual([
      'a 1.0.0: "AGPL-3.0-only" in the package, MIT in package-lock.json',
    ]);
  });
});

describe('findLicenceProblems', () => {
  const allowed = ['MIT', 'Zlib', 'GPL-2.0-only WITH Classpath-exception-2.0'];

  it.each([
    ['MIT', true],
    ['GPL-3.0-only', false],
    ['(MIT OR GPL-3.0-only)', true],
    ['GPL-3.0-only OR MIT', true],
    ['MIT AND Zlib', true],
    ['MIT AND GPL-3.0-only', false],
    ['MIT OR Zlib AND GPL-3.0-only', true],
    ['(MIT OR Zlib) AND GPL-3.0-only', false],
    ['GPL-2.0-only WITH Classpath-exception-2.0', true],
    ['GPL-2.0-only', false],
    ...['', 'SEE LICENSE IN x', 'MIT OR', '(MIT', 'MIT)', 'MIT Zlib', 'AND', 'MIT WITH'].map((text) => [
      text,
      false,
    ]),
  ])('%s: %s', (licence, isAllowed) => {
    expect(findLicenceProblems([{ name: 'a', licence }], allowed)).toHaveLength(isAllowed ? 0 : 1);
  });

  it('finds no problem in the programs of this project', () => {
    expect(findLicenceProblems([...PROGRAMS_TO_RUN, ...PROGRAMS_TO_TEST], ALLOWED.program)).toEqual([]);
  });

  it('accepts programs with a copyleft licence, which are not linked, but none without a licence', () => {
    expect(findLicenceProblems([{ name: 'p', licence: 'GPL-3.0-or-later' }], ALLOWED.program)).toEqual([]);
    expect(findLicenceProblems([{ name: 'p' }], ALLOWED.program)).toEqual(['p: no known licence']);
  });

  it('rejects models under a licence that is not on the list', () => {
    expect(findLicenceProblems([{ name: 'm', licence: 'for research only' }], ALLOWED.model)).toEqual([
      'm: for research only is not on the list',
    ]);
    expect(findLicenceProblems([{ name: 'm', licence: 'CC-BY-4.0' }], ALLOWED.model)).toEqual([]);
  });
});
