import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.js';

/** One field that was refused, in dotted form (`parts.0.etag`). */
export interface FieldError {
  field: string;
  message: string;
}

export interface ServiceErrorDetails {
  /** What happened this time, for the caller's eyes: never a stack, SQL or a secret. */
  detail?: string;
  errors?: FieldError[];
  /** For the log only. */
  cause?: unknown;
  /** Seconds after which trying again makes sense. */
  retryAfter?: number;
}

/** A refusal with a name from the catalogue. Thrown anywhere, rendered in one place. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly errors: FieldError[] | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode,
    details: ServiceErrorDetails = {},
  ) {
    super(details.detail ?? ERROR_CATALOGUE[code].title, { cause: details.cause });
    this.status = ERROR_CATALOGUE[code].status;
    this.title = ERROR_CATALOGUE[code].title;
    this.detail = details.detail;
    this.errors = details.errors;
    this.retryAfter = details.retryAfter;
  }
}

/** 422 naming one field. */
export function invalidFieldError(field: string, message: string): ServiceError {
  return new ServiceError('validation_failed', {
    detail: `${field}: ${message}`,
    errors: [{ field, message }],
  });
}
