import { type JobOptionsBody, type JobOptionsFormValues, toJobOptionsBody } from '../jobs/job-options.ts';
import { createRandomHexId } from '../lib/create-id.ts';
import type { UploadRecord } from './upload-record.ts';

export function createFileUploadRecord(
  owner: string,
  file: Pick<File, 'name' | 'size'>,
  form: JobOptionsFormValues,
  isRecording = false,
): UploadRecord {
  return {
    id: createRandomHexId(),
    owner,
    createdAt: Date.now(),
    fileName: file.name,
    fileSize: file.size,
    isRecording,
    body: toJobOptionsBody(form, file.name),
    state: 'waiting',
    plan: null,
    parts: [],
    problem: null,
  };
}

/** A job whose audio the service fetches: there is nothing to send. */
export function createUrlUploadRecord(
  owner: string,
  url: string,
  jobId: string,
  body: JobOptionsBody,
): UploadRecord {
  return {
    id: createRandomHexId(),
    owner,
    createdAt: Date.now(),
    fileName: url,
    fileSize: 0,
    body,
    state: 'sent',
    plan: { jobId, partSize: 0, urls: [], expiresAt: 0 },
    parts: [],
    problem: null,
  };
}
