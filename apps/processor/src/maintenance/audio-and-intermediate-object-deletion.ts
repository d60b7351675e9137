import { forEachConcurrently } from '@app/async';
import { deleteUnlessBackupRuns } from '@app/database';
import { buildTranscriptPrefix, buildWorkPrefix, isTranscriptWithLowerFence } from '@app/jobs';
import type { KeysAndPrefixesToDelete, ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { deleteTogetherOrOneByOne } from './delete-together-or-one-by-one.js';
import { ErrorCollector } from './error-collector.js';
import {
  claimJobsForAudioDeletion,
  type JobForAudioDeletion,
  markAudioDeleted,
} from './job-objects.repository.js';

/** With their chunks, they usually fit into one deletion request of S3. */
const BATCH_JOBS = 50;
const CONCURRENT_JOBS = 8;
/** Seconds until another processor takes over, and until a failed deletion is tried again. */
const LEASE_SECONDS = 60;

export interface AudioAndIntermediateObjectDeletionOptions {
  /** Seconds until no worker can be writing for a failed or cancelled job. */
  graceSeconds: number;
  /** Default 50. */
  batchJobs?: number;
  /** Default 60. */
  leaseSeconds?: number;
}

/**
 * Deletes audio, intermediate objects and transcripts of attempts before the published one. Processors share the ended
 * jobs by claims. Transcripts of incomplete jobs stay: a restored older database may record a completed job as
 * incomplete.
 */
export class AudioAndIntermediateObjectDeletion {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ObjectStore,
    private readonly options: AudioAndIntermediateObjectDeletionOptions,
  ) {}

  /**
   * @returns true if there may be more
   * @throws the first error, with its job, after the batch; the reason of `stop` when it is aborted
   */
  async runBatch(stop: AbortSignal): Promise<boolean> {
    const { graceSeconds, batchJobs = BATCH_JOBS, leaseSeconds = LEASE_SECONDS } = this.options;
    let isWhole = false;
    // A backup needs these objects from its snapshot until it has read them.
    await deleteUnlessBackupRuns(this.dataSource, 'audio', stop, async (until) => {
      until.throwIfAborted();
      const jobs = await claimJobsForAudioDeletion(this.dataSource, graceSeconds, batchJobs, leaseSeconds);
      isWhole = jobs.length === batchJobs;
      const errors = new ErrorCollector(until);
      const planned = await this.planDeletions(jobs, errors);
      const deleted = await deleteTogetherOrOneByOne(this.store, planned, errors);
      if (deleted.length > 0) await markAudioDeleted(this.dataSource, deleted);
      errors.throwIfFailed();
    });
    return isWhole;
  }

  private async planDeletions(
    jobs: readonly JobForAudioDeletion[],
    errors: ErrorCollector,
  ): Promise<Map<string, KeysAndPrefixesToDelete>> {
    const planned = new Map<string, KeysAndPrefixesToDelete>();
    await forEachConcurrently(jobs, CONCURRENT_JOBS, (job) =>
      errors.run(`job ${job.id}`, async () => void planned.set(job.id, await this.planDeletion(job))),
    );
    return planned;
  }

  private async planDeletion({
    id,
    audioKey,
    uploadId,
    resultKey,
  }: JobForAudioDeletion): Promise<KeysAndPrefixesToDelete> {
    if (uploadId !== null) await this.store.abortMultipart(audioKey, uploadId);
    const keys = [audioKey];
    if (resultKey !== null)
      for await (const { key } of this.store.list(buildTranscriptPrefix(id)))
        if (isTranscriptWithLowerFence(key, resultKey)) keys.push(key);
    return { keys, prefixes: [buildWorkPrefix(id)] };
  }
}
