import {
  AUDIO_MISSING_FAILURE_REASON,
  type ClaimedStage,
  buildFetchedAudioKey,
  recordFetchedAudio,
  UnrecoverableStageError,
  RetryableStageError,
  retryWhileDatabaseUnavailable,
} from '@app/jobs';
import {
  OBJECT_STORE,
  ObjectChangedError,
  type ObjectInfo,
  ObjectNotFoundError,
  type ObjectStore,
} from '@app/storage';
import { AudioFetchError, OutboundClient } from '@app/outbound';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PROCESSOR_OPTIONS, type ProcessorOptions } from '../processor-options.js';

const CONTENT_TYPE = 'application/octet-stream';

/** The audio is the completed upload, or the response of its `audio_url`. */
@Injectable()
export class AudioSource {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly outbound: OutboundClient,
    @Inject(PROCESSOR_OPTIONS) private readonly options: ProcessorOptions,
  ) {}

  /** @returns the size in bytes */
  async fetchToFile(stage: ClaimedStage, path: string, signal: AbortSignal): Promise<number> {
    const { audioUrl, audioKey, storedSize, storedEtag } = stage.job;
    if (storedSize !== null || audioUrl === null) {
      const stored = { key: audioKey, size: storedSize ?? 0, etag: storedEtag };
      if (await this.fetchStored(stored, path, signal)) return stored.size;
      if (audioUrl === null) throw new UnrecoverableStageError(AUDIO_MISSING_FAILURE_REASON);
    }
    const downloaded = await this.download(stage, audioUrl, signal);
    if (!(await this.fetchStored(downloaded, path, signal)))
      throw new UnrecoverableStageError(AUDIO_MISSING_FAILURE_REASON);
    return downloaded.size;
  }

  /** @returns false if the object does not exist */
  private async fetchStored(
    stored: { key: string; etag: string | null },
    path: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      await this.store.fetchToFile(stored.key, path, { ifEtag: stored.etag ?? undefined, signal });
      return true;
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return false;
      if (error instanceof ObjectChangedError)
        throw new UnrecoverableStageError('The uploaded audio was changed after the upload was completed.');
      throw error;
    }
  }

  /** Further attempts of the stage find the audio in the store. */
  private async download(stage: ClaimedStage, url: string, signal: AbortSignal): Promise<ObjectInfo> {
    const { audioBytes: maxBytes, audioFetchSeconds } = this.options;
    const key = buildFetchedAudioKey(stage.jobId, stage.fence);
    try {
      const timeouts = { totalMs: audioFetchSeconds * 1000 };
      const { body } = await this.outbound.fetchAudio(url, { maxBytes, signal, timeouts });
      const stored = await this.store.put(key, body, CONTENT_TYPE);
      await retryWhileDatabaseUnavailable(() => recordFetchedAudio(this.dataSource, stage, stored), signal);
      return stored;
    } catch (error) {
      if (!(error instanceof AudioFetchError)) throw error;
      throw error.retryable
        ? new RetryableStageError(error.message, error)
        : new UnrecoverableStageError(error.message, undefined, error);
    }
  }
}
