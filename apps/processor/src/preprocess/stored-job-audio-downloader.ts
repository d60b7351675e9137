import {
  AUDIO_MISSING_FAILURE_REASON,
  type ClaimedStage,
  StageInputMissingError,
  UnrecoverableStageError,
} from '@app/jobs';
import { OBJECT_STORE_TOKEN, ObjectChangedError, ObjectNotFoundError, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';

/** The audio is the completed upload, or what the fetch stage stored. */
@Injectable()
export class StoredJobAudioDownloader {
  constructor(@Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore) {}

  /**
   * @returns the size in bytes
   * @throws StageInputMissingError if the audio can be fetched again from its `audio_url`
   */
  async fetchToFile(stage: ClaimedStage, path: string, signal: AbortSignal): Promise<number> {
    const { audioUrl, audioKey: key, storedSize: size, storedEtag } = stage.job;
    // A job that an older version queued has nothing stored yet.
    if (size === null && audioUrl !== null) throw new StageInputMissingError(new Error('not fetched yet'));
    try {
      await this.store.fetchToFile(key, path, { ifEtag: storedEtag ?? undefined, signal });
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
