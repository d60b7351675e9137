import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuxiliaryModelError, encodeWav } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeChunkVoices } from './describe-chunk-voices.js';

describe('keepVoices', () => {
  const { signal } = new AbortController();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-voices-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('keeps text of a WAV file', async () => {
    const path = join(folder, 'silence.wav');
    await writeFile(path, encodeWav(new Int16Array(16_000)));
    expect(await describeChunkVoices(path, null, signal)).toEqual(expect.any(String));
  });

  it('keeps nothing, and fails nothing, when the file is no sound or is not there', async () => {
    const path = join(folder, 'garbage.wav');
    await writeFile(path, 'garbage');
    expect(await describeChunkVoices(path, null, signal)).toBeNull();
    expect(await describeChunkVoices(join(folder, 'absent.wav'), null, signal)).toBeNull();
  });

  it('ends with the stage when that is aborted', async () => {
    const gone = AbortSignal.abort(new Error('the lease is lost'));
    await expect(describeChunkVoices(join(folder, 'silence.wav'), null, gone)).rejects.toThrow(
      'the lease is lost',
    );
  });

  it('keeps what models tell, and what can be measured when they fail', async () => {
    const path = join(folder, 'silence.wav');
    await writeFile(path, encodeWav(new Int16Array(16_000)));
    const told = { describe: async (samples: Int16Array) => `told of ${samples.length}` };
    expect(await describeChunkVoices(path, told, signal)).toBe('told of 16000');
    const failing = { describe: () => Promise.reject(new AuxiliaryModelError('tiny')) };
    expect(await describeChunkVoices(path, failing, signal)).toBe(
      await describeChunkVoices(path, null, signal),
    );
  });
});
