import type { ErrorCatalogueEntry } from './error-catalogue-entry.js';

export const JOB_AND_UPLOAD_REQUEST_ERRORS = {
  upload_incomplete: {
    status: 400,
    title: 'The upload is incomplete.',
    when: 'A single upload is completed with fewer stored bytes than `file_size`, or a multipart upload whose parts have none.',
    remedy:
      'PUT the whole file to the same URL, wait for the 200, and complete again. A multipart upload without bytes has failed: create another job.',
    retry: 'no',
  },
  upload_too_large: {
    status: 400,
    title: 'The stored audio is larger than its upload allows.',
    when: 'An upload is completed with more stored bytes than the route takes, or a single upload with far more than `file_size`: more than twice as many, and more than 64 MiB above it. The job has failed.',
    remedy:
      'Create another job with the right `file_size`; use a multipart upload for files above the limit of a single upload.',
    retry: 'no',
  },
  upload_type_mismatch: {
    status: 400,
    title: 'The job was created for another kind of upload.',
    when: 'A multipart upload is completed with `POST /upload/complete`, or a single upload with the multipart route.',
    remedy: 'Call the complete route of the same kind as the create route.',
    retry: 'no',
  },
  invalid_parts: {
    status: 400,
    title: 'The list of parts is wrong.',
    when: 'The `parts` of a multipart completion list a part that was never uploaded, list a part twice or with another ETag, or omit an uploaded part; or a part other than the last has not exactly `part_size` bytes.',
    remedy:
      'Correct the entry that `errors` names, or PUT the missing part or the part of the wrong size, and complete again.',
    retry: 'no',
  },
  transcript_not_ready: {
    status: 400,
    title: 'The job has no transcript yet.',
    when: 'The transcript is requested, or its speakers are named, while the job is processing.',
    remedy: 'Wait until the job has ended: follow its stream, or retrieve it until its `status` changes.',
    retry: 'no',
  },
  job_failed: {
    status: 400,
    title: 'The job failed.',
    when: 'The transcript of a failed job is requested; `detail` has the stage and the reason.',
    remedy: 'See `detail`, and create another job.',
    retry: 'no',
  },
  job_cancelled: {
    status: 400,
    title: 'The job was cancelled.',
    when: 'The transcript of a cancelled job is requested.',
    remedy: 'Create another job if you need the transcript.',
    retry: 'no',
  },
  transcript_deleted: {
    status: 400,
    title: 'The transcript was deleted.',
    when: 'The job has completed, but the retention time of its transcript is over.',
    remedy: 'Create another job for the recording.',
    retry: 'no',
  },
  transcript_too_large: {
    status: 400,
    title: 'The transcript is too large to be rendered again.',
    when: 'Another format or speaker names are requested for a transcript of more than 32 MiB of JSON.',
    remedy: 'Download the stored transcript from `download_url`.',
    retry: 'no',
  },
  unprocessable_audio: {
    status: 400,
    title: 'The audio cannot be transcribed.',
    when: 'The file cannot be decoded, or is longer than the service takes.',
    remedy: 'Send another file; the message says what is wrong.',
    retry: 'no',
    onlyRoutes: '/v1',
  },
  signature_mismatch: {
    status: 403,
    title: 'The URL was changed or cut short. Use it exactly as it was returned.',
    when: 'A signed URL was changed, cut short or used with another method, or the operator has replaced the secret that signed it.',
    remedy: 'Use the URL exactly as returned; retrieve the job for a new `download_url`.',
    retry: 'no',
  },
  url_expired: {
    status: 403,
    title: 'The URL has expired. Retrieve the job for a new download_url, or create another job to upload.',
    when: 'A signed URL is used after it has expired: `expires_in` for uploads, seven days for downloads.',
    remedy: 'Retrieve the job for a new `download_url`; create another job for a new `upload_url`.',
    retry: 'no',
  },
  content_type_mismatch: {
    status: 403,
    title: 'The Content-Type differs from the one that the URL was signed for.',
    when: 'A PUT to `upload_url` has no `Content-Type`, or another one than the `content_type` of the create response.',
    remedy: 'Send the `Content-Type` that `detail` names.',
    retry: 'no',
  },
  upload_closed: {
    status: 403,
    title: 'The upload was completed or has ended; see GET /api/v1/jobs/{job_id}.',
    when: 'A PUT to the URL of an upload or part after the upload was completed or aborted, or its job has ended.',
    remedy:
      'Continue with `GET /jobs/{job_id}`. After a replayed create (`Idempotency-Key`), the audio is stored already.',
    retry: 'no',
  },
  job_not_found: {
    status: 404,
    title: 'No such job.',
    when: 'The id is unknown, or belongs to a job of another account. An id in the path is also unknown if it is no UUID; in a body that is 422.',
    remedy: 'Correct the id, or use an API key of the account that owns the job.',
    retry: 'no',
  },
  object_not_found: {
    status: 404,
    title: 'No such object.',
    when: 'The file behind a signed URL does not exist: the job is still open, failed or was cancelled, or its transcript is no longer kept; `detail` says which.',
    remedy:
      'While the job is open, wait for its end. Otherwise there will be no transcript: create another job if you need one.',
    retry: 'no',
  },
  file_too_large: {
    status: 413,
    title: 'The file exceeds the limit of this route.',
    when: 'The declared size or the body is larger than the route takes, or the upload alone is more than a quota of the account.',
    remedy: 'Use a multipart upload (`upload/multipart/create`), or send a shorter or compressed recording.',
    retry: 'no',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The range lies outside the object.',
    when: 'The `Range` of a download starts after the last byte; `Content-Range` has the size.',
    remedy: 'Request a range within the size, or the whole file.',
    retry: 'no',
  },
} as const satisfies Record<string, ErrorCatalogueEntry>;
