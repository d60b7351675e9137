/**
 * Every refusal that a caller can meet: stable machine name -> HTTP status and title.
 * The title is the sentence that is always true; `detail` says what happened this time.
 */
export const CATALOGUE = {
  request_unreadable: { status: 400, title: 'The request is not valid HTTP.' },
  query_invalid: { status: 400, title: 'A query parameter is out of form.' },
  upload_incomplete: { status: 400, title: 'The audio never arrived.' },
  upload_too_large: { status: 400, title: 'The stored audio is larger than its route allows.' },
  upload_kind_mismatch: { status: 400, title: 'The job was created for another kind of upload.' },
  upload_ended: { status: 400, title: 'The upload is no longer open.' },
  transcript_not_ready: { status: 400, title: 'The job has no transcript.' },
  transcript_too_large: { status: 400, title: 'The transcript is too large to be written anew.' },
  parts_rejected: { status: 400, title: 'The parts do not make up the upload.' },
  audio_refused: { status: 400, title: 'The audio cannot be transcribed.' },
  key_invalid: { status: 401, title: 'The API key is missing, malformed or revoked.' },
  out_of_credit: { status: 402, title: 'The account is out of credit.' },
  address_refused: { status: 403, title: 'The signed address does not cover this request.' },
  not_found: { status: 404, title: 'There is nothing at this address.' },
  job_not_found: { status: 404, title: 'No such job.' },
  object_not_found: { status: 404, title: 'No such object.' },
  model_not_found: { status: 404, title: 'No such model.' },
  request_timeout: { status: 408, title: 'The request did not arrive in time.' },
  job_cancelled: { status: 409, title: 'The job was cancelled.' },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this key has not been answered yet.',
  },
  file_too_large: { status: 413, title: 'The file exceeds the limit of this route.' },
  range_unsatisfiable: { status: 416, title: 'The range lies outside the object.' },
  validation_failed: { status: 422, title: 'A field is missing or not of the right form.' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key belongs to another request.' },
  rate_limited: { status: 429, title: 'Too many requests for this endpoint.' },
  headers_too_large: { status: 431, title: 'The headers of the request are too large.' },
  job_failed: { status: 500, title: 'The job failed.' },
  internal: { status: 500, title: 'The service failed to handle the request.' },
  unavailable: { status: 503, title: 'A part of the service is not available right now.' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof CATALOGUE;
