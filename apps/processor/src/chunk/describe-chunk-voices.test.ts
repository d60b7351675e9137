import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuxiliaryModelError, encodeWav } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeChunkVoices } from './describe-chunk-voices.js';

describe('describeChunkVoices', () => {
  const { signal } = new AbortController();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-voices-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('returns a description of a WAV file', async () => {
    const path = join(folder, 'silence.wav');
    await writeFile(path, encodeWav(new Int16Array(16_000)));
    expect(await describeChunkVoices(path, null, signal)).toEqual(expect.any(String));
  });

  it('returns null, without an error, for a missing file or one that is not audio', async () => {
    const path = join(folder, 'garbage.wav');
    await writeFile(path, 'garbage');
    expect(await describeChunkVoices(path, null, signal)).toBeNull();
    expect(await describeChunkVoices(join(folder, 'absent.wav'), null, signal)).toBeNull();
  });

  it('rejects with the abort reason when the stage is aborted', async () => {
    const gone = AbortSignal.abort(new Error('the lease is lost'));
    await expect(describeChunkVoices(join(folder, 'silence.wav'), null, gone)).rejects.toThrow(
      'the lease is lost',
    );
  });

  it('uses the speaker model, and falls back to measured features when the model fails', async () => {
    const path = join(folder, 'silence.wav');
    await writeFile(path, encodeWav(new Int16Array(16_000)));
    const told = { extract: async (samples: Int16Array) => `told of ${samples.length}` };
    expect(await describeChunkVoices(path, told, signal)).toBe('told of 16000');
    const failing = { extract: () => Promise.reject(new AuxiliaryModelError('tiny')) };
    expect(await describeChunkVoices(path, failing, signal)).toBe(
      await describeChunkVoices(path, null, signal),
    );
  });
});
