import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashFiles } from './build.mjs';
import { explainInstallFailure } from './command.mjs';
import { assertNodeVersion } from './node-version.mjs';
import { findLockDifference } from './npm-packages.mjs';

describe('assertNodeVersion', () => {
  it.each(['20.19.0', '22.0.0', '24.3.1'])('accepts %s', (version) => {
    expect(() => assertNodeVersion(version)).not.toThrow();
  });
  it.each(['20.18.3', '18.20.0'])('rejects %s with one line that contains it', (version) => {
    expect(() => assertNodeVersion(version)).toThrow(
      new RegExp(`^Node 20.19 or newer .* this is ${version}[^\\n]*$`),
    );
  });
});

describe('findLockDifference', () => {
  const wanted = {
    '': {},
    a: { version: '1.0.0' },
    b: { version: '2.0.0', optional: true },
    local: { link: true },
  };

  it('finds none when only optional packages are missing', () => {
    expect(findLockDifference(wanted, { a: { version: '1.0.0' } })).toBeUndefined();
  });
  it('finds a missing package and a package of another version', () => {
    expect(findLockDifference(wanted, {})).toBe('a');
    expect(findLockDifference(wanted, { a: { version: '1.0.0' }, b: { version: '2.0.1' } })).toBe('b');
  });
});

describe('explainInstallFailure', () => {
  it.each([
    ['npm error code ENOSPC', 'the disk is full'],
    ["E: You don't have enough free space in /var/cache/apt/archives/.", 'the disk is full'],
    ["Temporary failure resolving 'mirror.example'", 'the network cannot be reached'],
    ['npm error network getaddrinfo EAI_AGAIN', 'the network cannot be reached'],
    ['E: Could not open lock file - open (13: Permission denied)', 'there is no permission to write'],
    ['E: Unable to locate package x', undefined],
  ])('%s', (output, reason) => {
    expect(explainInstallFailure(output)).toBe(reason);
  });
});

describe('hashFiles', () => {
  let root;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sources-'));
    await mkdir(join(root, 'libs', 'deep'), { recursive: true });
    await writeFile(join(root, 'libs', 'deep', 'a.ts'), 'one');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('changes with the content and names of files, but not with tests', async () => {
    const before = await hashFiles(root, ['libs']);
    await writeFile(join(root, 'libs', 'a.test.ts'), 'a test');
    expect(await hashFiles(root, ['libs'])).toBe(before);
    await writeFile(join(root, 'libs', 'deep', 'a.ts'), 'two');
    const changed = await hashFiles(root, ['libs']);
    expect(changed).not.toBe(before);
    await writeFile(join(root, 'libs', 'deep', 'b.ts'), '');
    expect(await hashFiles(root, ['libs'])).not.toBe(changed);
  });
});
