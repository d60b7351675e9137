import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.js';

export interface InvalidField {
  /** In dotted form: `parts.0.etag`. */
  field: string;
  message: string;
}

export interface ServiceErrorDetails {
  /** About this request, for callers: never a stack, SQL or a secret. */
  detail?: string;
  errors?: InvalidField[];
  /** For the log only. */
  cause?: unknown;
  /** Seconds. */
  retryAfter?: number;
}

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly errors: InvalidField[] | undefined;
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

export function createInvalidFieldError(field: string, message: string): ServiceError {
  return createInvalidFieldsError([{ field, message }]);
}

/** The detail names every invalid field. */
export function createInvalidFieldsError(
  errors: InvalidField[],
  code: ErrorCode = 'validation_failed',
): ServiceError {
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new ServiceError(code, { detail, errors });
}
