import { type ClaimedStage, StageFailure } from '@app/jobs';
import { OBJECT_STORE, ObjectChanged, ObjectMissing, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';

/** Brings the audio of a job to a local file: the very bytes that were completed. */
@Injectable()
export class AudioSource {
  constructor(@Inject(OBJECT_STORE) private readonly store: ObjectStore) {}

  async fetch({ job }: ClaimedStage, path: string): Promise<void> {
    try {
      await this.store.fetchToFile(job.audioKey, path, job.storedEtag ?? undefined);
    } catch (error) {
      if (error instanceof ObjectMissing) throw new StageFailure('The uploaded audio is no longer there.');
      if (error instanceof ObjectChanged)
        throw new StageFailure('The uploaded audio was changed after the upload was completed.');
      throw error;
    }
  }
}
