import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@app/config';
import {
  findMissingG2pPrograms,
  PocketsphinxAligner,
  type ProviderLookupOptions,
  writeModelCheck,
} from '@app/speech';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeModel } from '../../../../scripts/material/onnx/library.mjs';
import { runSpeechChecks } from './speech-checks.js';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'doctor-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

function findings(engine = 'openai', aligner?: PocketsphinxAligner) {
  return runChecks({ ENGINE: engine, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }, aligner);
}

async function runChecks(
  env: Record<string, string>,
  aligner?: PocketsphinxAligner,
  providerFolders?: ProviderLookupOptions,
): Promise<Record<string, { status: string; detail: string; advice: string | null }>> {
  const results = await runSpeechChecks(loadConfig({ ...env, MODELS_DIR: folder }), aligner, providerFolders);
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

  it('ENGINE=auto: reports the chosen engine, why, and what would recognise more', async () => {
    const { engine } = await runChecks({ ENGINE: 'auto' });
    expect(engine).toMatchObject({
      status: 'ok',
      detail: 'pocketsphinx, model en-us (no other recogniser is installed)',
      advice: expect.stringMatching(/recognises more: npm run admin -- models pull \S+ silero-vad/),
    });
    await makeModel(folder, 'tiny-parakeet');
    expect((await runChecks({ ENGINE: 'auto' }))['engine']).toMatchObject({
      detail:
        'pocketsphinx, model en-us (no other installed recogniser can be used; not tiny-parakeet: it was not checked)',
      advice: 'tiny-parakeet is installed but was not checked: npm run admin -- models check tiny-parakeet',
    });
    const measured = { wordsRight: 1, speakersRight: 0.5, speed: 9, memoryBytes: 1e9, problem: null };
    await writeModelCheck(join(folder, 'tiny-parakeet'), measured);
    const { engine: chosen, models } = await runChecks({ ENGINE: 'auto' });
    expect(chosen).toMatchObject({ detail: 'sherpa, model tiny-parakeet (the only installed recogniser)' });
    expect(models?.detail).toBe(
      `in ${folder}: tiny-parakeet (100 % of the words right, 50 % of the speakers right, 9.0 times as fast as speech, 1.00 GB of memory)`,
    );
  });

  it('reports how many chunks are transcribed at a time and why', async () => {
    expect((await runChecks({ ENGINE: 'pocketsphinx' }))['chunks']).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/^\d+ at a time: one/),
    });
    await makeModel(folder, 'tiny-parakeet');
    const measured = { wordsRight: 1, speakersRight: 1, speed: 9, memoryBytes: 1e15, problem: null };
    await writeModelCheck(join(folder, 'tiny-parakeet'), measured);
    expect((await runChecks({ ENGINE: 'sherpa' }))['chunks']).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/^1 at a time: .*1000000\.0 GB for each copy of the model; \d+ cores?$/),
    });
    expect((await runChecks({ ENGINE: 'sherpa', CHUNK_CONCURRENCY: '3' }))['chunks']).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/^3 at a time: CHUNK_CONCURRENCY; /),
    });
  });

  it('reports what the execution provider needs before a recogniser is installed', async () => {
    const env = { ENGINE: 'sherpa', SHERPA_PROVIDER: 'cuda' };
    const { engine, provider } = await runChecks(env, undefined, { devices: folder });
    expect(engine?.detail).toContain('no recogniser is installed');
    expect(provider).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('no NVIDIA device'),
    });
  });

  it('reports what the execution provider needs and does not find', async () => {
    await makeModel(folder, 'tiny-parakeet');
    const machine = join(folder, '.machine');
    await mkdir(machine);
    const run = async (provider: string, engine = 'sherpa') => {
      const env = { ENGINE: engine, SHERPA_PROVIDER: provider };
      return runChecks(env, undefined, { devices: machine, library: machine });
    };
    expect((await run('cpu'))['provider']).toBeUndefined();
    expect((await run('cuda', 'pocketsphinx'))['provider']).toMatchObject({ status: 'warning' });
    expect(await run('cuda')).toMatchObject({
      engine: {
        status: 'problem',
        detail: expect.stringContaining('SHERPA_PROVIDER=cuda: the native library'),
      },
      provider: {
        status: 'problem',
        detail: expect.stringMatching(/providers_cuda\.so and .* no NVIDIA device: .*nvidia0 not found/),
        advice: expect.stringContaining('SHERPA_PROVIDER=cpu'),
      },
    });
    const names = ['nvidia0', 'nvidia1', 'nvidiactl', 'nvidia-uvm'];
    const libraries = ['libonnxruntime_providers_cuda.so', 'libonnxruntime_providers_shared.so'];
    for (const name of [...names, ...libraries]) await writeFile(join(machine, name), '');
    expect((await run('cpu'))['provider']?.detail).toMatch(/^cpu; nvidia0, nvidia1 not used/);
    expect(await run('cuda')).toMatchObject({
      // The true library has no CUDA, so a file beside it changes nothing.
      engine: {
        status: 'problem',
        detail: expect.stringMatching(/does not have the execution provider.*=cuda/),
      },
      provider: {
        status: 'ok',
        detail: expect.stringMatching(/^cuda on nvidia0, nvidia1; nothing is missing/),
      },
      chunks: { detail: expect.stringMatching(/^2 at a time: one for each of 2 devices; /) },
    });
  });

  it('reports installed models, complete or broken', async () => {
    expect((await findings())['models']).toMatchObject({ status: 'ok', detail: `none in ${folder}` });
    await install('1234');
    expect((await findings())['models']).toMatchObject({
      status: 'ok',
      detail: `in ${folder}: own-model (not checked)`,
    });
    await install('123');
    expect((await findings())['models']).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('model.onnx has 3 bytes instead of 4'),
    });
  });
});
