import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@app/config';
import { createAuxiliaryModelsFromFolder } from '@app/speech';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LazyAdminServices } from '../../apps/admin/src/lazy-admin-services.js';
import { runSpeechChecks } from '../../apps/admin/src/doctor/speech-checks.js';
import { CheckModelsCommand } from '../../apps/admin/src/models/check-models.command.js';
import { PullModelsCommand } from '../../apps/admin/src/models/pull-models.command.js';
import { SetUpModelsCommand } from '../../apps/admin/src/models/set-up-models.command.js';
import { makeModel } from '../../scripts/material/onnx/library.mjs';
import { TinyModelCatalogue } from '../support/tiny-model-catalogue.js';

let catalogue: TinyModelCatalogue;
let folder: string;
let stdout: string;
beforeAll(async () => {
  catalogue = await TinyModelCatalogue.start({
    // A model of tones makes nothing of the dialogue.
    'tiny-parakeet': { rank: 200, minWordsRight: 0.6 },
    'tiny-moonshine': { rank: 100, minWordsRight: 0 },
    'tiny-silero': null,
    'tiny-pyannote': null,
    'tiny-voices': null,
  });
});
afterAll(() => catalogue.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-checks-'));
  vi.stubEnv('MODELS_DIR', folder);
  for (const [name, value] of Object.entries(catalogue.environment)) vi.stubEnv(name, value);
  stdout = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((stdout += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await rm(folder, { recursive: true });
});

const pull = (names: string[], options = {}) =>
  new PullModelsCommand(new LazyAdminServices()).run(names, options);
const setUp = (options = {}) => new SetUpModelsCommand(new LazyAdminServices()).run([], options);
const check = (names: string[], options = {}) =>
  new CheckModelsCommand(new LazyAdminServices()).run(names, options);
const readCheck = async (name: string) =>
  JSON.parse(await readFile(join(folder, name, 'check.json'), 'utf8')) as Record<string, unknown>;
const findEngine = async () =>
  (await runSpeechChecks(loadConfig())).find(({ name }) => name === 'engine')?.detail;

describe('models pull', () => {
  it('checks what it installed; a model that gets too little is installed, but not chosen', async () => {
    await pull(['tiny-parakeet', 'tiny-moonshine']);
    expect(stdout).toMatch(/^tiny-parakeet is installed\.\ntiny-moonshine is installed\.\n/);
    expect(stdout).toMatch(
      /tiny-parakeet is NOT USED by default: it got \d+ % of the words of the bundled dialogue right, and should get 60 %/,
    );
    expect(stdout).toMatch(
      /tiny-moonshine works: \d+ % of the words right, \d+ % of the speakers right, [\d.]+ times as fast as speech, \d+ MB of memory\./,
    );
    expect(process.exitCode).toBeUndefined();
    expect(await readCheck('tiny-moonshine')).toMatchObject({
      problem: null,
      wordsRight: expect.any(Number),
      speakersRight: expect.any(Number),
    });
    const { memoryBytes, speed } = await readCheck('tiny-moonshine');
    expect(memoryBytes).toBeGreaterThan(20e6);
    expect(memoryBytes).toBeLessThan(2e9);
    expect(speed).toBeGreaterThan(0);
    expect(await findEngine()).toMatch(
      /^sherpa, model tiny-moonshine \(the best of the installed recognisers; not tiny-parakeet: it got \d+ %/,
    );
  });

  it('checks nothing again, and nothing with --unchecked', async () => {
    await pull(['tiny-moonshine'], { unchecked: true });
    expect(stdout).toMatch(/^tiny-moonshine is installed\.\nProcessors look .* restart those that run\.\n$/);
    expect(await findEngine()).toContain('not tiny-moonshine: it was not checked');
    await pull(['tiny-moonshine']);
    const { checkedAt } = await readCheck('tiny-moonshine');
    await pull(['tiny-moonshine'], { json: true });
    expect(await readCheck('tiny-moonshine')).toMatchObject({ checkedAt });
  });

  it('checks auxiliary models by their own work; one that fails is not used', async () => {
    await pull(['tiny-silero', 'tiny-pyannote']);
    expect(stdout).toContain('tiny-silero works.\ntiny-pyannote is not used yet');
    expect(process.exitCode).toBeUndefined();
    // It tells tones apart, not voices.
    await pull(['tiny-voices']);
    expect(stdout).toMatch(
      /tiny-voices is NOT USED by default: with the models of speakers, \d+ % of the bundled dialogue had the right speaker/,
    );
    const models = await createAuxiliaryModelsFromFolder(folder, { hosts: 1 });
    expect(models).toMatchObject({ speakerFeatureExtractor: null, speechDetector: expect.anything() });
    await models.close();
  });
});

describe('models setup', () => {
  beforeEach(async () => {
    for (const name of ['tiny-silero', 'tiny-pyannote', 'tiny-voices']) await makeModel(folder, name);
  });

  it('ends with exit code 1 if the recommended model does not pass, and says why', async () => {
    await setUp({ yes: true, json: true });
    expect(JSON.parse(stdout)).toMatchObject({
      recommended: ['tiny-parakeet'],
      models: [
        {
          name: 'tiny-parakeet',
          fetched: true,
          check: { problem: expect.stringMatching(/^it got \d+ % of the words/) },
          obstacle: null,
        },
      ],
    });
    expect(process.exitCode).toBe(1);
  });
});

describe('models check', () => {
  it('reports models that do not work, with exit code 1', async () => {
    const model = await makeModel(folder, 'tiny-zipformer');
    const manifest = join(model, 'model.json');
    await writeFile(join(model, 'joiner.onnx'), 'x');
    const changed = JSON.parse(await readFile(manifest, 'utf8')) as {
      files: { role: string; bytes: number }[];
    };
    for (const file of changed.files) if (file.role === 'joiner') file.bytes = 1;
    await writeFile(manifest, JSON.stringify(changed));
    await check(['tiny-zipformer'], { json: true });
    expect(process.exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        name: 'tiny-zipformer',
        check: { problem: expect.stringContaining('cannot be loaded'), wordsRight: null },
      },
    ]);
  });

  it('replaces the result, which does not count for another manifest', async () => {
    const model = await makeModel(folder, 'tiny-moonshine');
    await check([]);
    expect(process.exitCode).toBeUndefined();
    expect(await findEngine()).toBe('sherpa, model tiny-moonshine (the only installed recogniser)');
    await writeFile(join(model, 'model.json'), `${await readFile(join(model, 'model.json'), 'utf8')}\n`);
    expect(await findEngine()).toContain('it was not checked');
    await check(['tiny-moonshine']);
    expect(await findEngine()).toContain('sherpa');
  });

  it('names a model that is not installed', async () => {
    await expect(check(['absent'])).rejects.toThrow(`The model absent is not installed in ${folder}.`);
    await check([]);
    expect(stdout).toBe(`No model is installed in ${folder}.\n`);
  });
});
