import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@app/config';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { speechChecks } from './speech-checks.js';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'doctor-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

async function findings(): Promise<Record<string, { status: string; detail: string }>> {
  const env = { ENGINE: 'openai', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', MODELS_DIR: folder };
  return Object.fromEntries((await speechChecks(loadConfig(env))).map((finding) => [finding.name, finding]));
}

async function install(content: string): Promise<void> {
  const files = [{ role: 'model', path: 'model.onnx', bytes: 4, sha256: 'a'.repeat(64) }];
  const about = { kind: 'voice-activity', family: 'silero', languages: 'any', licence: 'MIT' };
  await mkdir(join(folder, 'own-model'), { recursive: true });
  await writeFile(
    join(folder, 'own-model', 'model.json'),
    JSON.stringify({ name: 'own-model', ...about, files }),
  );
  await writeFile(join(folder, 'own-model', 'model.onnx'), content);
}

describe('the recogniser', () => {
  it('is the one the service is set to, and says what it misses', async () => {
    const { engine, vocabulary } = await findings();
    expect(engine).toMatchObject({ status: 'problem', detail: expect.stringContaining('OPENAI_BASE_URL') });
    expect(vocabulary).toBeUndefined();
  });

  it('has models that are told, whole or not', async () => {
    expect((await findings())['models']).toMatchObject({ status: 'ok', detail: `none in ${folder}` });
    await install('1234');
    expect((await findings())['models']).toMatchObject({ status: 'ok', detail: `own-model in ${folder}` });
    await install('123');
    expect((await findings())['models']).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('model.onnx has 3 bytes instead of 4'),
    });
  });
});
