import type { FieldError } from '../api/client.ts';
import type { JobOptionsBody } from '../jobs/job-options.ts';

/** `paused` by the user; `stopped` by an error that another attempt may end; `failed` for good. */
export type UploadState = 'waiting' | 'sending' | 'paused' | 'stopped' | 'file_missing' | 'failed' | 'sent';

export interface PresignedMultipartUpload {
  jobId: string;
  partSize: number;
  urls: string[];
  /** Milliseconds since 1970, of the URLs. */
  expiresAt: number;
}

export interface UploadedPart {
  etag: string;
  digest: string | null;
}

export interface UploadProblem {
  code: string;
  status: number;
  message: string;
  /** The options that were rejected; missing in what an earlier version stored. */
  fields?: FieldError[];
}

/** An upload as it is stored in the browser. */
export interface UploadRecord {
  /** Also the idempotency key of the request that creates the job, unless there is another one. */
  id: string;
  /** The key of a job that replaces one whose upload could not be continued. */
  idempotencyKey?: string | undefined;
  /** The account and user that it belongs to. */
  owner: string;
  createdAt: number;
  fileName: string;
  fileSize: number;
  /** A recording of the microphone: nobody has the file elsewhere. Missing in what an earlier version stored. */
  isRecording?: boolean;
  body: JobOptionsBody;
  state: UploadState;
  /** Somebody has removed it from the list, and its job has still to be ended. */
  isCancelled?: boolean;
  plan: PresignedMultipartUpload | null;
  /** Consecutive, from the first. */
  parts: UploadedPart[];
  problem: UploadProblem | null;
}

/** Whether its removal loses audio: an upload that goes on, or can, or a recording that nobody has elsewhere. */
export function hasUnsentAudio({
  state,
  isRecording,
  isCancelled,
}: Pick<UploadRecord, 'state' | 'isRecording' | 'isCancelled'>): boolean {
  if (isCancelled === true) return false;
  return state !== 'sent' && (state !== 'failed' || isRecording === true);
}

/** Audio that this browser sent. */
export interface StoredJobAudioRecord {
  jobId: string;
  owner: string;
  savedAt: number;
  fileName: string;
  size: number;
  partSize: number;
  digests: (string | null)[];
}
