import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StageHandler } from '@app/jobs';
import type { AuxiliaryModels } from '@app/speech';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PreprocessStage } from '../../apps/processor/src/preprocess/preprocess.stage.js';
import type { StoredJobAudioDownloader } from '../../apps/processor/src/preprocess/stored-job-audio-downloader.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { SyntheticSoundBuilder } from '../../libs/speech/src/vad/testing/synthetic-sound-builder.js';
import { JobRows } from '../support/job-rows.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { memoryStore as store } from '../support/memory-store.js';
import { NO_MODELS } from '../support/no-models.js';
import { writeStereo } from '../support/stereo.js';

const { signal } = new AbortController();
const OPTIONS = {
  ...{ chunkSeconds: 30, chunkMaxSeconds: 60, smallFileBytes: 0 },
  concurrency: { chunk: 4 },
} as ProcessorOptions;

let world: World;
let folder: string;
beforeAll(async () => {
  world = await createJobWorld();
  folder = await mkdtemp(join(tmpdir(), 'zephyr-turns-'));
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

/** Two sections of each channel in turn, each a chunk of its own. */
async function makeTurns(): Promise<Buffer> {
  const left = new SyntheticSoundBuilder()
    .silence(1)
    .babble(2, 8_000)
    .silence(8)
    .babble(2, 8_000)
    .silence(12);
  const right = new SyntheticSoundBuilder()
    .silence(6)
    .babble(2, 8_000)
    .silence(8)
    .babble(2, 8_000)
    .silence(7);
  const channels = [left.samples(), right.samples()];
  const pairs = new Int16Array(2 * (channels[0]?.length ?? 0));
  for (const [channel, samples] of channels.entries())
    for (const [at, sample] of samples.entries()) pairs[2 * at + channel] = sample;
  return readFile(await writeStereo(folder, 'turns.wav', pairs));
}

it('with a speaker model, only chunks that cannot turn out to be the last of their channel are dispatched early', async () => {
  const [id, wav, rows] = [await world.newJob(), await makeTurns(), new JobRows(world)];
  const source = {
    fetchToFile: async (_: unknown, path: string) => {
      await writeFile(path, wav);
      return wav.length;
    },
  } as unknown as StoredJobAudioDownloader;
  const models = { ...NO_MODELS, speakerFeatureExtractor: {} as AuxiliaryModels['speakerFeatureExtractor'] };
  const preprocess = new PreprocessStage(source, store, world.hooks, OPTIONS, models, {});
  const dispatched: string[][] = [];
  const work: StageHandler = (stage, stop, commitPartialResult) => {
    const options = { ...stage.job.options, multichannel: true };
    return preprocess.work({ ...stage, job: { ...stage.job, options } }, stop, async (part) => {
      await commitPartialResult(part);
      dispatched.push(await rows.stageNames(id, 'pending'));
    });
  };
  expect(await world.run(id, 'preprocess', signal, work)).toBe('committed');
  expect(dispatched.at(-1)).toEqual(['chunk:0', 'chunk:1']);
  const fences = await world.rows(`SELECT name, fence FROM job_stage WHERE queue = 'chunk' ORDER BY name`);
  expect(fences).toEqual([0, 1, 2, 3].map((index) => ({ name: `chunk:${index}`, fence: 0 })));
});
