import type { ErrorCode } from './error-catalogue.js';
import type { InvalidField, ServiceError } from './service-error.js';

/** `application/problem+json`, RFC 9457. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  request_id: string;
  /** With status 422, and with 400 if it is about a field. */
  errors?: InvalidField[];
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
