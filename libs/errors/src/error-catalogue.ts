import type { ErrorCatalogueEntry } from './catalogue/error-catalogue-entry.js';
import { JOB_ERRORS } from './catalogue/job-errors.js';
import { REQUEST_ERRORS } from './catalogue/request-errors.js';

/** Every error that a caller can meet, by its stable machine name. A name that was published never changes. */
export const ERROR_CATALOGUE = { ...REQUEST_ERRORS, ...JOB_ERRORS } as const satisfies Record<
  string,
  ErrorCatalogueEntry
>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** Codes with what is known of them, in order of their status. */
export const ERROR_CATALOGUE_ENTRIES: readonly (readonly [ErrorCode, ErrorCatalogueEntry])[] = (
  Object.entries(ERROR_CATALOGUE) as [ErrorCode, ErrorCatalogueEntry][]
).toSorted(([, a], [, b]) => a.status - b.status);

/** What the `code` of a problem may be: all but those of the routes that have an error form of their own. */
export const PROBLEM_CODES: readonly ErrorCode[] = ERROR_CATALOGUE_ENTRIES.filter(
  ([, { onlyRoutes: only }]) => only === undefined,
).map(([code]) => code);
