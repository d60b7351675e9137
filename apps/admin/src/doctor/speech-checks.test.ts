import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@app/config';
import { findMissingG2pPrograms, PocketsphinxAligner } from '@app/speech';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runSpeechChecks } from './speech-checks.js';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'doctor-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

async function findings(
  engine = 'openai',
  aligner?: PocketsphinxAligner,
): Promise<Record<string, { status: string; detail: string; advice: string | null }>> {
  const env = { ENGINE: engine, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', MODELS_DIR: folder };
  const results = await runSpeechChecks(loadConfig(env), aligner);
  return Object.fromEntries(results.map((finding) => [finding.name, finding]));
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

describe('runSpeechChecks', () => {
  it('reports the configured engine and what it is missing', async () => {
    const { engine } = await findings();
    expect(engine).toMatchObject({ status: 'problem', detail: expect.stringContaining('OPENAI_BASE_URL') });
  });

  it.each(['pocketsphinx', 'sherpa', 'openai'])(
    '%s: reports missing pronunciation generators for custom terms',
    async (engine) => {
      const missing = await findMissingG2pPrograms();
      expect((await findings(engine))['vocabulary']).toMatchObject({
        status: missing.length === 0 ? 'ok' : 'warning',
      });
    },
  );

  it.each(['sherpa', 'openai'])('%s: reports missing programs for word alignment', async (engine) => {
    expect((await findings(engine))['word times']).toMatchObject({ status: 'ok' });
    const without = new PocketsphinxAligner(join(folder, 'no-model'));
    expect((await findings(engine, without))['word times']).toMatchObject({
      status: 'warning',
      advice: expect.stringMatching(/model is missing.*apt/),
    });
  });

  it('reports no alignment for an engine that aligns words itself', async () => {
    expect((await findings('pocketsphinx'))['word times']).toBeUndefined();
  });

  it('reports installed models, complete or broken', async () => {
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
