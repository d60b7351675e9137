import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getInstalledModel, listInstalledModels } from './installed-models.js';
import { InvalidModelError, ModelNotFoundError } from './installed-model.js';

const SHA = 'a'.repeat(64);
const WHOLE = {
  name: 'tiny',
  kind: 'recognizer',
  family: 'whisper',
  languages: 'any',
  licence: 'MIT',
  settings: { task: 'transcribe' },
  files: [
    { role: 'encoder', path: 'encoder.onnx', bytes: 3, sha256: SHA },
    { role: 'tokens', path: 'text/tokens.txt', bytes: 2, sha256: SHA },
  ],
};

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'zephyr-models-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(name: string, manifest: unknown): Promise<void> {
  await mkdir(join(folder, name, 'text'), { recursive: true });
  await writeFile(join(folder, name, 'encoder.onnx'), 'abc');
  await writeFile(join(folder, name, 'text', 'tokens.txt'), 'ab');
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  await writeFile(join(folder, name, 'model.json'), text);
}

describe('listInstalledModels', () => {
  it('a missing folder has no models', async () => {
    expect(await listInstalledModels(join(folder, 'absent'))).toEqual([]);
  });

  it('models are listed with the paths of their files', async () => {
    await put('tiny', WHOLE);
    const expected = {
      name: 'tiny',
      kind: 'recognizer',
      family: 'whisper',
      languages: 'any',
      settings: { task: 'transcribe' },
      files: {
        encoder: join(folder, 'tiny', 'encoder.onnx'),
        tokens: join(folder, 'tiny', 'text/tokens.txt'),
      },
    };
    expect(await listInstalledModels(folder)).toEqual([expected]);
    expect(await getInstalledModel(folder, 'tiny')).toEqual(expected);
  });

  it('incomplete models are skipped', async () => {
    await put('.tiny.pull', WHOLE);
    await mkdir(join(folder, 'empty'));
    await writeFile(join(folder, 'notes'), '');
    expect(await listInstalledModels(folder)).toEqual([]);
  });

  it.each(['other', '../other', '.tiny.pull', ''])('getInstalledModel rejects the name %j', async (name) => {
    await expect(getInstalledModel(folder, name)).rejects.toBeInstanceOf(ModelNotFoundError);
    await expect(getInstalledModel(folder, name)).rejects.toThrow(`models pull ${name}`);
  });

  it.each([
    ['name', { ...WHOLE, name: '../tiny' }],
    ['kind', { ...WHOLE, kind: 'oracle' }],
    ['family', { ...WHOLE, family: 'unheard-of' }],
    ['files', { ...WHOLE, files: [] }],
    ['role', { ...WHOLE, files: [WHOLE.files[0], WHOLE.files[0]] }],
    ['files.0.path', { ...WHOLE, files: [{ ...WHOLE.files[0], path: '../encoder.onnx' }] }],
    ['files.0.path', { ...WHOLE, files: [{ ...WHOLE.files[0], path: '/etc/passwd' }] }],
    ['files.0.sha256', { ...WHOLE, files: [{ ...WHOLE.files[0], sha256: 'abc' }] }],
    ['not JSON', '{'],
    ['that of other', { ...WHOLE, name: 'other' }],
    ['encoder.onnx has 3 bytes instead of 4', { ...WHOLE, files: [{ ...WHOLE.files[0], bytes: 4 }] }],
    ['away.onnx is missing', { ...WHOLE, files: [{ ...WHOLE.files[0], path: 'away.onnx' }] }],
  ])('an invalid model is rejected with the reason: %s', async (problem, manifest) => {
    await put('tiny', manifest);
    for (const attempt of [() => listInstalledModels(folder), () => getInstalledModel(folder, 'tiny')]) {
      const error = await attempt().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InvalidModelError);
      expect(String(error)).toContain(join(folder, 'tiny'));
      expect(String(error)).toContain(problem);
    }
  });
});
