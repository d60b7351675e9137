import type { Readable } from 'node:stream';
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
import { findDiskFullCode } from '@app/speech';
import { OBJECT_STORE_TOKEN, type ObjectInfo, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PROCESSOR_OPTIONS_TOKEN, type ProcessorOptions } from '../processor-options.js';
import { assertDiskHasRoom } from '../scratch/assert-disk-has-room.js';
import { keepDiskReserve } from './keep-disk-reserve.js';
import { StoredBytesQuota } from './stored-bytes-quota.js';

const CONTENT_TYPE = 'application/octet-stream';
/** Another server may be restarting. Who mistyped its address learns of it within a minute. */
const [FIRST_RETRY_SECONDS, RETRY_FACTOR] = [5, 6];
/** Also limits what a server asks for. */
const MAX_RETRY_SECONDS = 3_600;
/** Of a body without a length, much may have been written, in vain. */
const DISK_FULL_RETRY_SECONDS = 300;

/** Stores the file behind an `audio_url`. It only waits for other servers, so it must not occupy slots of preprocess. */
@Injectable()
export class FetchStage {
  private readonly quota: StoredBytesQuota;

  constructor(
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    private readonly outbound: OutboundClient,
    @Inject(PROCESSOR_OPTIONS_TOKEN) private readonly options: ProcessorOptions,
    dataSource: DataSource,
  ) {
    this.quota = new StoredBytesQuota(dataSource, options.storedBytesQuota);
  }

  async work(stage: ClaimedStage, signal: AbortSignal): Promise<StageCommitCallback> {
    const { audioUrl, storedSize } = stage.job;
    if (audioUrl === null) throw new Error(`Job ${stage.jobId} has no audio_url.`);
    // Audio that is fetched again counts already.
    if (storedSize === null) await this.quota.assertBelow(stage.accountId);
    const stored = await this.fetchToStore(stage, audioUrl, signal);
    if (storedSize === null) this.quota.noteFetched(stage.accountId, stored.size);
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
      const { body, contentLength = 0 } = await this.outbound.fetchAudio(url, {
        maxBytes,
        minBytesPerSecond: audioFetchBytesPerSecond,
        signal,
        timeouts: { totalMs: audioFetchSeconds * 1000 },
      });
      return await this.store.put(key, await this.keepDiskReserve(body, contentLength), CONTENT_TYPE);
    } catch (error) {
      if (error instanceof AudioFetchError) throw toStageError(error);
      const code = findDiskFullCode(error);
      if (code === null) throw error;
      const reason = `The disk of the object store has no room (${code} in ${this.store.location}).`;
      throw new DependencyUnavailableError(new Error(reason, { cause: error }), DISK_FULL_RETRY_SECONDS);
    }
  }

  /** @param size 0 if it is not known */
  private async keepDiskReserve(body: Readable, size: number): Promise<Readable> {
    if (this.store.kind !== 'files') return body;
    const reserve = { bytes: this.options.diskReserveBytes, usableShare: 0 };
    const assertRoom = (bytes: number) => assertDiskHasRoom(this.store.location, bytes, reserve);
    try {
      await assertRoom(size);
    } catch (error) {
      body.destroy();
      throw error;
    }
    return keepDiskReserve(body, () => assertRoom(0));
  }
}

function toStageError(error: AudioFetchError): Error {
  const { message, ownFailure, retryable, retryAfterSeconds = 0 } = error;
  if (ownFailure !== null)
    return new DependencyUnavailableError(
      new Error(`This machine cannot reach other servers (${ownFailure}).`, { cause: error }),
    );
  if (!retryable) return new UnrecoverableStageError(message, undefined, error);
  return new RetryableStageError(message, error, (attempts) => {
    const delaySeconds = Math.max(FIRST_RETRY_SECONDS * RETRY_FACTOR ** (attempts - 1), retryAfterSeconds);
    return Math.min(delaySeconds, MAX_RETRY_SECONDS);
  });
}
