import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LazyAdminServices } from '../lazy-admin-services.js';
import { RemoveModelCommand } from './models.command.js';
import { removeModel, deleteRemovalLeftovers } from './remove-model.js';

const CUT = '.own.removed.0d3e6a5c-1f7b-4c67-9d57-2f1de0a94d10';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'remove-model-'))));
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const put = (name: string) => mkdir(join(folder, name, 'files'), { recursive: true });
const names = async () => (await readdir(folder)).toSorted();

describe('removing a model', () => {
  it('deletes the model, its unfinished pull and leftovers of interrupted removals, and nothing else', async () => {
    const others = ['.own.removed.notes', '.own2.pull', 'own2'];
    await Promise.all(['own', '.own.pull', CUT, ...others].map(put));
    await removeModel(folder, 'own');
    expect(await names()).toEqual(others);
    await removeModel(folder, 'own');
    expect(await names()).toEqual(others);
  });

  it('fails and leaves the model in place when it cannot be renamed', async () => {
    const long = 'a'.repeat(230);
    await put(long);
    await expect(removeModel(folder, long)).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
    expect(await names()).toEqual([long]);
  });

  it('is completed by a pull or another removal after an interruption', async () => {
    await put(CUT);
    await deleteRemovalLeftovers(folder, 'own');
    expect(await names()).toEqual([]);
    await put(CUT);
    vi.stubEnv('MODELS_DIR', folder);
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await new RemoveModelCommand(new LazyAdminServices()).run(['own'], {});
    expect(print).toHaveBeenCalledWith('own is removed.\n');
    expect(await names()).toEqual([]);
  });

  it('is rejected only for the model in use; SHERPA_MODEL does not matter to another engine', async () => {
    await put('own');
    vi.stubEnv('MODELS_DIR', folder);
    vi.stubEnv('SHERPA_MODEL', 'own');
    vi.stubEnv('ENGINE', 'sherpa');
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const command = new RemoveModelCommand(new LazyAdminServices());
    await expect(command.run(['own'], {})).rejects.toThrow('add --force');
    vi.stubEnv('ENGINE', 'pocketsphinx');
    await command.run(['own'], {});
    expect(await names()).toEqual([]);
  });
});
