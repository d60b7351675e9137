import type { ErrorCode } from './error-catalogue.js';
import type { FieldError, ServiceError } from './service-error.js';

/** The error body of every route: `application/problem+json`, RFC 9457. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  /** Stable machine name. */
  code: ErrorCode;
  request_id: string;
  /** With status 422, and with 400 where a field is to blame. */
  errors?: FieldError[];
}

export const PROBLEM_CONTENT_TYPE = 'application/problem+json; charset=utf-8';

export function toProblem(error: ServiceError, requestId: string): Problem {
  return {
    type: `urn:zephyr:error:${error.code}`,
    title: error.title,
    status: error.status,
    detail: error.detail ?? error.title,
    code: error.code,
    request_id: requestId,
    ...(error.errors && { errors: error.errors }),
  };
}
