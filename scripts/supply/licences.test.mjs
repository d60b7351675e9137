import { describe, expect, it } from 'vitest';
import { judgeModels, judgePackages, judgePrograms, withLicences } from './licences.mjs';
import { readInstalledManifests, readLockedPackages } from './lock.mjs';
import { PROGRAMS_TO_RUN, PROGRAMS_TO_TEST } from './programs.mjs';
import { canMeet } from './spdx.mjs';

const locked = (changes = {}) => ({
  path: 'node_modules/a',
  name: 'a',
  version: '1.0.0',
  license: 'MIT',
  dev: false,
  optionalNames: [],
  ...changes,
});
const judge = (changes, manifest) =>
  judgePackages([locked(changes)], new Map(manifest && [['node_modules/a', manifest]]));

describe('an expression of licences', () => {
  const allowed = new Set(['MIT', 'Zlib', 'GPL-2.0-only WITH Classpath-exception-2.0']);

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
  ])('%s: %s', (expression, met) => {
    expect(canMeet(expression, allowed)).toBe(met);
  });

  it.each(['', 'SEE LICENSE IN x', 'MIT OR', '(MIT', 'MIT)', 'MIT Zlib', 'AND', 'MIT WITH'])(
    'is not “%s”',
    (text) => {
      expect(() => canMeet(text, allowed)).toThrow(`“${text}” is no SPDX expression`);
    },
  );
});

describe('the licence of a package', () => {
  it('is known and allowed for every package and program of this project', async () => {
    const packages = await readLockedPackages();
    expect(packages.length).toBeGreaterThan(400);
    expect(judgePackages(packages, await readInstalledManifests(packages))).toEqual([]);
    expect(judgePrograms([...PROGRAMS_TO_RUN, ...PROGRAMS_TO_TEST])).toEqual([]);
  });

  it.each([
    [{ license: undefined }, 'a 1.0.0: no licence is known'],
    [{ license: 'GPL-3.0-only' }, 'a 1.0.0: GPL-3.0-only is not on the list'],
    [{ license: 'SEE LICENSE IN x' }, 'a 1.0.0: “SEE LICENSE IN x” is no SPDX expression'],
    [{ license: 'MPL-2.0' }, 'a 1.0.0: MPL-2.0 is not on the list'],
  ])('fails when it is %j', (changes, trouble) => {
    expect(judge(changes)).toEqual([trouble]);
  });

  it('may be the Mozilla licence for what only builds and tests', () => {
    expect(judge({ license: 'MPL-2.0', dev: true })).toEqual([]);
  });

  it('is compared with what the installed package says', () => {
    expect(judge({}, { license: 'MIT' })).toEqual([]);
    expect(judge({}, { license: 'AGPL-3.0-only' })).toEqual([
      'a 1.0.0: "AGPL-3.0-only" in the package, MIT in package-lock.json',
    ]);
  });

  it('for another system is that of the package that names it', () => {
    const packages = [
      locked({ optionalNames: ['a-of-another'] }),
      locked({ path: 'node_modules/a-of-another', name: 'a-of-another', license: undefined }),
    ];
    expect(withLicences(packages).map(({ licence }) => licence)).toEqual(['MIT', 'MIT']);
  });
});

describe('programs and models', () => {
  it('may be copyleft where they are only started', () => {
    expect(judgePrograms([{ what: 'p', licence: 'GPL-3.0-or-later' }])).toEqual([]);
    expect(judgePrograms([{ what: 'p' }])).toEqual(['p: no licence is known']);
  });
  it('of another kind are looked at by a person first', () => {
    expect(judgeModels([{ name: 'm', licence: 'for research only' }])).toEqual([
      'the model m: for research only is not on the list',
    ]);
    expect(judgeModels([{ name: 'm', licence: 'CC-BY-4.0' }])).toEqual([]);
  });
});
