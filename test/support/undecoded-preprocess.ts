import { buildChunkKey, type JobHooks, type StageHandler } from '@app/jobs';
import { encodeWav } from '@app/speech';
import type { ObjectStore } from '@app/storage';
import { createPreprocessCommitCallback } from '../../apps/processor/src/preprocess/preprocess-commits.js';
import type { StageHandOverRunner } from '../../apps/processor/src/hand-over/stage-hand-over-runner.js';

const SILENT_SECOND = encodeWav(new Int16Array(16_000));

/** Preprocess without decoder, which would take most of the time of many jobs: each chunk is a second of silence. */
export class UndecodedPreprocess {
  chunksPerJob = 1;

  constructor(
    private readonly store: ObjectStore,
    private readonly handOver: StageHandOverRunner,
    private readonly hooks: JobHooks,
  ) {}

  readonly work: StageHandler = async (stage) => {
    const chunks = Array.from({ length: this.chunksPerJob }, (_, index) => ({
      key: buildChunkKey(stage.jobId, stage.fence, { chunking: 1, index }),
      ...{ start: index, end: index + 1, speech: [{ start: index, end: index + 1 }] },
    }));
    for (const { key } of chunks) await this.store.put(key, SILENT_SECOND, 'audio/wav');
    const file = {
      duration: chunks.length,
      declaredSeconds: null,
      damagedSeconds: null,
      multichannel: false,
      chunks,
    };
    return (
      this.handOver.buildHandOver(stage, file, false) ??
      createPreprocessCommitCallback(stage, file, false, this.hooks)
    );
  };
}
