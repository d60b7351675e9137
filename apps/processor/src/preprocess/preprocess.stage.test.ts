import { type ClaimedStage, DependencyUnavailableError, type JobHooks } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import { expect, it } from 'vitest';
import type { ProcessorOptions } from '../processor-options.js';
import { PreprocessStage } from './preprocess.stage.js';
import type { StoredJobAudioDownloader } from './stored-job-audio-downloader.js';

it('a stage is retried without a counted attempt if its decoder cannot open the file', async () => {
  // As if somebody had emptied the work folder.
  const source = { fetchToFile: async () => 0 } as unknown as StoredJobAudioDownloader;
  const options = {
    concurrency: { fetch: 1, preprocess: 1, chunk: 1, aggregation: 1 },
    chunkSeconds: 30,
    chunkMaxSeconds: 60,
    smallFileBytes: 0,
  } as ProcessorOptions;
  const hooks = {} as JobHooks;
  const models = { speechDetector: null, speakerFeatureExtractor: null };
  const stage = new PreprocessStage(source, {} as ObjectStore, hooks, options, models, { packedSeconds: 0 });
  const claimed = { jobId: 'job', fence: 1, job: { options: {} } } as unknown as ClaimedStage;
  const work = stage.work(claimed, new AbortController().signal, async () => undefined);
  await expect(work).rejects.toBeInstanceOf(DependencyUnavailableError);
});
