import { requestJson } from '../api/client.ts';
import type { ConsoleApiSchema } from '../api/types.ts';
import { sleepUntilRetryOrOnline } from './back-off.ts';
import { computeDigestOfSliceDigests } from './digest.ts';
import type { UploadDependencies } from './run-upload.ts';
import { parseAccountIdOfOwner } from './owner.ts';
import { sendPart } from './send-part.ts';
import { putStoredItem } from './upload-database.ts';

/** The service, the object store and the storage of the browser. */
export const BROWSER_UPLOAD_DEPENDENCIES: Omit<UploadDependencies, 'onProgress' | 'onRetry' | 'save'> = {
  async createJob({ id, idempotencyKey = id, owner, body, fileSize }) {
    const requestedAt = Date.now();
    const answer = await requestJson<ConsoleApiSchema<'MultipartResponse'>>(
      'POST',
      'upload/multipart/create',
      { ...body, file_size: fileSize },
      { headers: { 'idempotency-key': idempotencyKey, 'x-console-account': parseAccountIdOfOwner(owner) } },
    );
    return {
      jobId: answer.job_id,
      partSize: answer.part_size,
      urls: answer.parts.toSorted((a, b) => a.part_number - b.part_number).map(({ url }) => url),
      expiresAt: requestedAt + answer.expires_in * 1_000,
    };
  },
  pingUpload: (jobId) => requestJson('POST', 'upload/progress', { job_id: jobId }),
  completeUpload: (jobId, parts) =>
    requestJson('POST', 'upload/multipart/complete', {
      job_id: jobId,
      parts: parts.map(({ etag }, index) => ({ part_number: index + 1, etag })),
    }),
  findJob: (jobId) => requestJson('GET', `jobs/${jobId}`),
  abortUpload: (jobId) => requestJson('POST', 'upload/multipart/abort', { job_id: jobId }),
  sendPart,
  digest: computeDigestOfSliceDigests,
  wait: sleepUntilRetryOrOnline,
  isOffline: () => !navigator.onLine,
};

/** Saves what a run of the upload changes. */
export const saveUploadRecord: UploadDependencies['save'] = (record) => putStoredItem('uploads', record);
