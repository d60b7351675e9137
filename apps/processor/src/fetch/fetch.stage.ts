import {
  addStages,
  buildFetchedAudioKey,
  type ClaimedStage,
  completeStage,
  recordFetchedAudio,
  RetryableStageError,
  type StageCommit,
  UnrecoverableStageError,
} from '@app/jobs';
import { AudioFetchError, OutboundClient } from '@app/outbound';
import { OBJECT_STORE, type ObjectInfo, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { PROCESSOR_OPTIONS, type ProcessorOptions } from '../processor-options.js';

const CONTENT_TYPE = 'application/octet-stream';

/** Stores the file behind an `audio_url`. It only waits for other servers, so it must not occupy places of preprocess. */
@Injectable()
export class FetchStage {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly outbound: OutboundClient,
    @Inject(PROCESSOR_OPTIONS) private readonly options: ProcessorOptions,
  ) {}

  async work(stage: ClaimedStage, signal: AbortSignal): Promise<StageCommit> {
    const { audioUrl } = stage.job;
    if (audioUrl === null) throw new Error(`Job ${stage.jobId} has no audio_url.`);
    const stored = await this.fetchToStore(stage, audioUrl, signal);
    return async (tx) => {
      await recordFetchedAudio(tx, stage, stored);
      await completeStage(tx, stage, null);
      await addStages(tx, stage.jobId, [{ name: 'preprocess', chunkIndex: 0, input: null }]);
    };
  }

  private async fetchToStore(stage: ClaimedStage, url: string, signal: AbortSignal): Promise<ObjectInfo> {
    const { audioBytes: maxBytes, audioFetchSeconds, audioFetchBytesPerSecond } = this.options;
    const key = buildFetchedAudioKey(stage.jobId, stage.fence);
    try {
      const { body } = await this.outbound.fetchAudio(url, {
        maxBytes,
        minBytesPerSecond: audioFetchBytesPerSecond,
        signal,
        timeouts: { totalMs: audioFetchSeconds * 1000 },
      });
      return await this.store.put(key, body, CONTENT_TYPE);
    } catch (error) {
      if (!(error instanceof AudioFetchError)) throw error;
      throw error.retryable
        ? new RetryableStageError(error.message, error)
        : new UnrecoverableStageError(error.message, undefined, error);
    }
  }
}
