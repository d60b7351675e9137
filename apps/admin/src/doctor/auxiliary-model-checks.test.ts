import fs from 'node:fs';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeModelCheck } from '@app/speech';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeModel } from '../../../../scripts/material/onnx/library.mjs';
import { checkAuxiliaryModels } from './auxiliary-model-checks.js';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'doctor-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

async function runChecks(...models: string[]): Promise<Record<string, string>> {
  for (const model of models) await makeModel(folder, model);
  const findings = await checkAuxiliaryModels(folder);
  return Object.fromEntries(findings.map(({ name, status, detail }) => [name, `${status}: ${detail}`]));
}

describe('checkAuxiliaryModels', () => {
  it('reports the fallbacks when no auxiliary model is installed', async () => {
    expect(await runChecks()).toEqual({
      speech: 'ok: found by volume, without a model',
      speakers: 'ok: diarization without models',
      punctuation: 'ok: from the engine, otherwise by rules',
      language: 'ok: as reported by the engine',
    });
  });

  it('does not use a model that failed its check', async () => {
    await makeModel(folder, 'tiny-silero');
    const nothing = { wordsRight: null, speakersRight: null, speed: null, memoryBytes: null };
    await writeModelCheck(join(folder, 'tiny-silero'), { ...nothing, problem: 'it found 3 % of the speech' });
    expect(await runChecks()).toMatchObject({
      'unused model': 'warning: tiny-silero: it found 3 % of the speech',
      speech: 'ok: found by volume, without a model',
    });
  });

  it('names the models in use and the installed ones that are not used', async () => {
    const all = ['tiny-silero', 'tiny-silero-four', 'tiny-pyannote', 'tiny-voices', 'tiny-punctuation'];
    expect(await runChecks(...all, 'tiny-language')).toEqual({
      speech: 'ok: tiny-silero (not tiny-silero-four)',
      speakers: 'ok: tiny-pyannote with tiny-voices',
      punctuation: 'ok: tiny-punctuation',
      language: 'ok: tiny-language',
    });
  });

  it.each([
    ['tiny-pyannote', 'embedding'],
    ['tiny-voices', 'segmentation'],
  ])('warns about a missing diarization model when only %s is installed', async (model, missing) => {
    expect((await runChecks(model)).speakers).toMatch(new RegExp(`^warning: .*${model} .* kind ${missing}$`));
  });

  it('reports a folder that cannot be read', async () => {
    const denied = Object.assign(new Error('EACCES: permission denied, scandir'), { code: 'EACCES' });
    vi.spyOn(fs.promises, 'readdir').mockRejectedValue(denied);
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    expect(await checkAuxiliaryModels(folder)).toEqual([
      {
        name: 'auxiliary models',
        status: 'problem',
        detail: expect.stringContaining('EACCES'),
        advice: `Make ${folder} readable, or set MODELS_DIR.`,
      },
    ]);
  });

  it('reports nothing when an installed model is broken', async () => {
    await makeModel(folder, 'tiny-silero');
    await truncate(join(folder, 'tiny-silero', 'model.onnx'), 10);
    expect(await runChecks()).toEqual({});
  });
});
