import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DependencyUnavailableError } from '@app/jobs';
import { setScratchRoot } from '@app/speech';
import { StoreUnavailableError } from '@app/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withScratchSubdirectory } from './with-scratch-subdirectory.js';

let base: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'work-folders-'));
  setScratchRoot(base);
});
afterAll(async () => {
  setScratchRoot(null);
  await rm(base, { recursive: true, force: true });
});

const failWith = (error: Error) =>
  withScratchSubdirectory(async () => {
    throw error;
  });
const createDiskError = (code: string) => Object.assign(new Error(`${code}: no space left`), { code });

describe('withScratchSubdirectory', () => {
  it('creates a directory for the work and removes it afterwards, also when the work fails', async () => {
    let path = '';
    const work = withScratchSubdirectory((folder) => {
      path = folder;
      return Promise.reject(new Error('failed'));
    });
    await expect(work).rejects.toThrow('failed');
    expect(path.startsWith(base)).toBe(true);
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  it.each([
    createDiskError('ENOSPC'),
    createDiskError('EDQUOT'),
    new Error('An engine failed.', { cause: createDiskError('ENOSPC') }),
  ])('throws DependencyUnavailableError when the disk is full: %s', async (error) => {
    await expect(failWith(error)).rejects.toBeInstanceOf(DependencyUnavailableError);
    await expect(failWith(error)).rejects.toThrow(/^This machine has no room .*WORK_DIR\.$/);
    await expect(failWith(error)).rejects.toThrow(base);
  });

  it('rethrows disk errors of the object store and other errors unchanged', async () => {
    const store = new StoreUnavailableError('The disk of the object store answered ENOSPC.', {
      cause: createDiskError('ENOSPC'),
    });
    await expect(failWith(store)).rejects.toBe(store);
    const other = createDiskError('EACCES');
    await expect(failWith(other)).rejects.toBe(other);
  });

  it('throws DependencyUnavailableError when the directory cannot be created', async () => {
    setScratchRoot(join(base, 'none'));
    await expect(withScratchSubdirectory(() => Promise.resolve())).rejects.toBeInstanceOf(
      DependencyUnavailableError,
    );
    setScratchRoot(base);
  });
});
