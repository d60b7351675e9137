import { dirname } from 'node:path';
import {
  AUDIO_MISSING_FAILURE_REASON,
  type ClaimedStage,
  StageInputMissingError,
  UnrecoverableStageError,
} from '@app/jobs';
import { OBJECT_STORE_TOKEN, ObjectChangedError, ObjectNotFoundError, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { PROCESSOR_OPTIONS_TOKEN, type ProcessorOptions } from '../processor-options.js';
import { assertDiskHasRoom } from '../scratch/assert-disk-has-room.js';

/** The audio is the completed upload, or what the fetch stage stored. */
@Injectable()
export class StoredJobAudioDownloader {
  constructor(
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    @Inject(PROCESSOR_OPTIONS_TOKEN) private readonly options: Pick<ProcessorOptions, 'diskReserveBytes'>,
  ) {}

  /**
   * @returns the size in bytes
   * @throws StageInputMissingError if the audio can be fetched again from its `audio_url`; an error with the code `ENOSPC`,
   * before anything is written, if the disk has no room for a copy
   */
  async fetchToFile(stage: ClaimedStage, path: string, signal: AbortSignal): Promise<number> {
    const { audioUrl, audioKey: key, storedSize: size, storedEtag } = stage.job;
    // A job that an older version queued has nothing stored yet.
    if (size === null && audioUrl !== null) throw new StageInputMissingError(new Error('not fetched yet'));
    // Uploads end at the reserve, and only jobs that go on free the disk again.
    const reserve = { bytes: this.options.diskReserveBytes, usableShare: 1 / 2 };
    try {
      await this.store.fetchToFile(key, path, {
        ifEtag: storedEtag ?? undefined,
        signal,
        beforeCopy: () => assertDiskHasRoom(dirname(path), size ?? 0, reserve),
      });
      return size ?? 0;
    } catch (error) {
      if (error instanceof ObjectNotFoundError)
        throw audioUrl === null
          ? new UnrecoverableStageError(AUDIO_MISSING_FAILURE_REASON)
          : new StageInputMissingError(error);
      if (error instanceof ObjectChangedError)
        throw new UnrecoverableStageError('The uploaded audio was changed after the upload was completed.');
      throw error;
    }
  }
}
