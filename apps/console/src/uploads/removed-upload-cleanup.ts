import { OtherSessionError } from './interruptions.ts';
import { retry } from './run-upload.ts';
import { deleteStoredItem } from './upload-database.ts';
import { BROWSER_UPLOAD_DEPENDENCIES, saveUploadRecord } from './upload-dependencies.ts';
import { mayUploadContinueAfter } from './upload-problem.ts';
import type { PresignedMultipartUpload, UploadRecord } from './upload-record.ts';

/** Ends the jobs of uploads that somebody has removed. */
export class RemovedUploadCleanup {
  private readonly removedIds = new Set<string>();
  private readonly endingJobIds = new Set<string>();

  /** @param readOwner the account and user of the session */
  constructor(private readonly readOwner: () => string | null) {}

  /** For an upload that was removed in another tab, which this one may be about to list. */
  remember(id: string): void {
    this.removedIds.add(id);
  }

  /** Forgets the file. The record of the upload stays until the service has answered, for a later call of `endJobs`. */
  async cancel(record: UploadRecord, signal: AbortSignal): Promise<void> {
    const { id, plan } = record;
    this.removedIds.add(id);
    const cancelled: UploadRecord = { ...record, isCancelled: true };
    const change = plan ? saveUploadRecord(cancelled) : deleteStoredItem('uploads', id);
    const stored = Promise.allSettled([change, deleteStoredItem('files', id)]);
    if (plan) void this.endJob(cancelled, plan, signal, stored);
    await stored;
  }

  /** Ends the job that was being created while its upload was removed. */
  endJobIfRemoved(record: UploadRecord, plan: PresignedMultipartUpload, signal: AbortSignal): void {
    if (this.removedIds.has(record.id)) void this.cancel({ ...record, plan }, signal);
  }

  /** Ends the jobs of those that were removed before, perhaps in another tab. @returns the others */
  endJobs(records: readonly UploadRecord[], signal: AbortSignal): UploadRecord[] {
    for (const record of records)
      if (record.isCancelled && record.plan) void this.endJob(record, record.plan, signal);
    // One may have been removed while they were read.
    return records.filter(({ id, isCancelled }) => !isCancelled && !this.removedIds.has(id));
  }

  /** @param stored is awaited before the record is deleted */
  private async endJob(
    { id, owner }: UploadRecord,
    { jobId }: PresignedMultipartUpload,
    signal: AbortSignal,
    stored: Promise<unknown> = Promise.resolve(),
  ): Promise<void> {
    if (this.endingJobIds.has(jobId)) return;
    this.endingJobIds.add(jobId);
    const { abortUpload, ...dependencies } = BROWSER_UPLOAD_DEPENDENCIES;
    const abort = async () => {
      if (this.readOwner() !== owner) throw new OtherSessionError();
      await abortUpload(jobId);
    };
    try {
      await retry(abort, { ...dependencies, onRetry: () => undefined }, signal);
    } catch (error) {
      // The next time that the uploads are opened may end it.
      if (signal.aborted || error instanceof OtherSessionError || mayUploadContinueAfter(error)) return;
    } finally {
      this.endingJobIds.delete(jobId);
    }
    await stored;
    await deleteStoredItem('uploads', id).catch(() => undefined);
  }
}
