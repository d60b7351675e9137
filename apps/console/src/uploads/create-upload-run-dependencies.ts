import { OtherSessionError } from './interruptions.ts';
import type { UploadDependencies } from './run-upload.ts';
import { BROWSER_UPLOAD_DEPENDENCIES } from './upload-dependencies.ts';
import type { UploadList } from './upload-list.ts';
import { toUploadProblem } from './upload-problem.ts';
import type { PresignedMultipartUpload, UploadRecord } from './upload-record.ts';

interface RunOptions {
  list: UploadList;
  /** The account and user of the session. */
  readOwner: () => string | null;
  saveListedUpload: (id: string) => Promise<void>;
  /** Also for an upload that was removed meanwhile. */
  onJobCreated: (record: UploadRecord, plan: PresignedMultipartUpload) => void;
}

/** What a run of the upload uses: it shows how far it is, and requests nothing while the session shows another account. */
export function createUploadRunDependencies(
  id: string,
  { list, readOwner, saveListedUpload, onJobCreated }: RunOptions,
): UploadDependencies {
  const asOwner =
    <Args extends unknown[], T>(send: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (readOwner() !== list.find(id)?.owner) throw new OtherSessionError();
      return send(...args);
    };
  const { createJob, completeUpload, findJob, abortUpload } = BROWSER_UPLOAD_DEPENDENCIES;
  return {
    ...BROWSER_UPLOAD_DEPENDENCIES,
    createJob: asOwner(async (record: UploadRecord) => {
      const plan = await createJob(record);
      onJobCreated(record, plan);
      return plan;
    }),
    completeUpload: asOwner(completeUpload),
    findJob: asOwner(findJob),
    abortUpload: asOwner(abortUpload),
    save: async (record: UploadRecord) => {
      // A removed upload must not come back.
      if (!list.find(id)) return;
      const { plan, parts, state, idempotencyKey } = record;
      // What was paused meanwhile is not saved as being sent.
      const end = state === 'sent' && { state, problem: null };
      list.change(id, { plan, parts, idempotencyKey, ...end });
      await saveListedUpload(id);
    },
    onProgress: (sentBytes: number) => list.change(id, { sentBytes }),
    onRetry: (retry: { error: unknown; delayMs: number } | null) => {
      if (retry === null && list.find(id)?.retry === null) return;
      list.change(id, {
        retry: retry && { message: toUploadProblem(retry.error).message, at: Date.now() + retry.delayMs },
      });
    },
  };
}
