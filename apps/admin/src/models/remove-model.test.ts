import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RemoveModelCommand } from './remove-model.command.js';
import { removeModel, sweepRemoved } from './remove-model.js';

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

describe('the removal of a model', () => {
  it('takes it, its unfinished pull and what a removal left that was cut, and nothing of others', async () => {
    const others = ['.own.removed.notes', '.own2.pull', 'own2'];
    await Promise.all(['own', '.own.pull', CUT, ...others].map(put));
    await removeModel(folder, 'own');
    expect(await names()).toEqual(others);
    await removeModel(folder, 'own');
    expect(await names()).toEqual(others);
  });

  it('fails when the model cannot be moved away, and leaves it', async () => {
    const long = 'a'.repeat(230);
    await put(long);
    await expect(removeModel(folder, long)).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
    expect(await names()).toEqual([long]);
  });

  it('is gone on with where it was cut, by a pull or by another removal', async () => {
    await put(CUT);
    await sweepRemoved(folder, 'own');
    expect(await names()).toEqual([]);
    await put(CUT);
    vi.stubEnv('MODELS_DIR', folder);
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await new RemoveModelCommand().run(['own'], {});
    expect(print).toHaveBeenCalledWith('own is removed.\n');
    expect(await names()).toEqual([]);
  });

  it('is refused only for the model that is in use: SHERPA_MODEL means nothing to another engine', async () => {
    await put('own');
    vi.stubEnv('MODELS_DIR', folder);
    vi.stubEnv('SHERPA_MODEL', 'own');
    vi.stubEnv('ENGINE', 'sherpa');
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const command = new RemoveModelCommand();
    await expect(command.run(['own'], {})).rejects.toThrow('add --force');
    vi.stubEnv('ENGINE', 'pocketsphinx');
    await command.run(['own'], {});
    expect(await names()).toEqual([]);
  });
});
