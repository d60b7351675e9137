import { poolOf } from '@app/database';
import { type ClaimedStage, StageFailure, StageTrouble } from '@app/jobs';
import { OBJECT_STORE, ObjectChanged, ObjectMissing, type ObjectStore } from '@app/storage';
import { FetchFailed, OutboundClient } from '@app/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PROCESSOR_OPTIONS, type ProcessorOptions } from '../processor-options.js';

const CONTENT_TYPE = 'application/octet-stream';

interface LocalAudio {
  /** Bytes. */
  size: number;
}

/** Brings the audio of a job to a local file: the very bytes that were completed, or what its address answers. */
@Injectable()
export class AudioSource {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(OutboundClient) private readonly outbound: OutboundClient,
    @Inject(PROCESSOR_OPTIONS) private readonly options: ProcessorOptions,
  ) {}

  async fetch({ jobId, job }: ClaimedStage, path: string, signal: AbortSignal): Promise<LocalAudio> {
    const { audioUrl, audioKey, storedSize, storedEtag } = job;
    const stored =
      storedSize === null && audioUrl !== null
        ? await this.download(jobId, audioUrl, audioKey, signal)
        : { size: storedSize ?? 0, etag: storedEtag };
    try {
      await this.store.fetchToFile(audioKey, path, stored.etag ?? undefined);
    } catch (error) {
      if (error instanceof ObjectMissing) throw new StageFailure('The uploaded audio is no longer there.');
      if (error instanceof ObjectChanged)
        throw new StageFailure('The uploaded audio was changed after the upload was completed.');
      throw error;
    }
    return { size: stored.size };
  }

  /** Streams what the address answers into the store, once: a further try of the stage finds it there. */
  private async download(
    jobId: string,
    url: string,
    key: string,
    signal: AbortSignal,
  ): Promise<{ size: number; etag: string }> {
    const { audioBytes: maxBytes, audioFetchSeconds } = this.options;
    try {
      const { body } = await this.outbound.fetchAudio(url, {
        maxBytes,
        signal,
        timeouts: { totalMs: audioFetchSeconds * 1000 },
      });
      const { size, etag } = await this.store.put(key, body, CONTENT_TYPE);
      await poolOf(this.dataSource).query('UPDATE job SET stored_size = $2, stored_etag = $3 WHERE id = $1', [
        jobId,
        size,
        etag,
      ]);
      return { size, etag };
    } catch (error) {
      if (!(error instanceof FetchFailed)) throw error;
      throw error.retryable
        ? new StageTrouble(error.message, error)
        : new StageFailure(error.message, undefined, error);
    }
  }
}
