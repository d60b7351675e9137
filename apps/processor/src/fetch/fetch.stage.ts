import {
  addOrRestartStages,
  buildFetchedAudioKey,
  type ClaimedStage,
  completeStage,
  DependencyUnavailableError,
  recordFetchedAudio,
  RetryableStageError,
  type StageCommitCallback,
  UnrecoverableStageError,
} from '@app/jobs';
import { AudioFetchError, OutboundClient } from '@app/outbound';
import { OBJECT_STORE_TOKEN, type ObjectInfo, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { PROCESSOR_OPTIONS_TOKEN, type ProcessorOptions } from '../processor-options.js';

const CONTENT_TYPE = 'application/octet-stream';
/** Servers restart or ask to wait for minutes, longer than what a stage of this service needs. */
const [FIRST_RETRY_SECONDS, RETRY_FACTOR] = [30, 10];
/** Also limits what a server asks for. */
const MAX_RETRY_SECONDS = 3_600;

/** Stores the file behind an `audio_url`. It only waits for other servers, so it must not occupy slots of preprocess. */
@Injectable()
export class FetchStage {
  constructor(
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    private readonly outbound: OutboundClient,
    @Inject(PROCESSOR_OPTIONS_TOKEN) private readonly options: ProcessorOptions,
  ) {}

  async work(stage: ClaimedStage, signal: AbortSignal): Promise<StageCommitCallback> {
    const { audioUrl } = stage.job;
    if (audioUrl === null) throw new Error(`Job ${stage.jobId} has no audio_url.`);
    const stored = await this.fetchToStore(stage, audioUrl, signal);
    return async (tx) => {
      await recordFetchedAudio(tx, stage, stored);
      await completeStage(tx, stage, null);
      await addOrRestartStages(tx, stage.jobId, [{ name: 'preprocess', chunkIndex: 0, input: null }]);
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
      throw toStageError(error, stage.attempts);
    }
  }
}

function toStageError(error: AudioFetchError, attempts: number): Error {
  const { message, ownFailure, retryable, retryAfterSeconds = 0 } = error;
  if (ownFailure !== null)
    return new DependencyUnavailableError(
      new Error(`This machine cannot reach other servers (${ownFailure}).`, { cause: error }),
    );
  if (!retryable) return new UnrecoverableStageError(message, undefined, error);
  const delaySeconds = Math.max(FIRST_RETRY_SECONDS * RETRY_FACTOR ** (attempts - 1), retryAfterSeconds);
  return new RetryableStageError(message, error, Math.min(delaySeconds, MAX_RETRY_SECONDS));
}
