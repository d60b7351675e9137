import type { ErrorCatalogueEntry } from './catalogue/error-catalogue-entry.js';
import { CONSOLE_ERRORS } from './catalogue/console-errors.js';
import { JOB_AND_UPLOAD_REQUEST_ERRORS } from './catalogue/job-and-upload-request-errors.js';
import { REQUEST_ERRORS } from './catalogue/request-errors.js';

/** By code. A published code never changes. */
export const ERROR_CATALOGUE = {
  ...REQUEST_ERRORS,
  ...JOB_AND_UPLOAD_REQUEST_ERRORS,
  ...CONSOLE_ERRORS,
} as const satisfies Record<string, ErrorCatalogueEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** By status. */
export const ERROR_CATALOGUE_ENTRIES: readonly (readonly [ErrorCode, ErrorCatalogueEntry])[] = (
  Object.entries(ERROR_CATALOGUE) as [ErrorCode, ErrorCatalogueEntry][]
).toSorted(([, a], [, b]) => a.status - b.status);

/** Codes in `application/problem+json`: all except those of routes with another error format. */
export const PROBLEM_JSON_ERROR_CODES: readonly ErrorCode[] = ERROR_CATALOGUE_ENTRIES.filter(
  ([, { onlyRoutes: only }]) => only === undefined,
).map(([code]) => code);
