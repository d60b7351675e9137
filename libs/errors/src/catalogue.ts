import type { CatalogueEntry } from './catalogue/entry.js';
import { JOB_ERRORS } from './catalogue/jobs.js';
import { REQUEST_ERRORS } from './catalogue/requests.js';

/** Every error that a caller can meet, by its stable machine name. A name that was published never changes. */
export const CATALOGUE = { ...REQUEST_ERRORS, ...JOB_ERRORS } as const satisfies Record<
  string,
  CatalogueEntry
>;

export type ErrorCode = keyof typeof CATALOGUE;

/** Codes with what is known of them, in order of their status. */
export const CATALOGUE_ENTRIES: readonly (readonly [ErrorCode, CatalogueEntry])[] = (
  Object.entries(CATALOGUE) as [ErrorCode, CatalogueEntry][]
).toSorted(([, a], [, b]) => a.status - b.status);

/** What the `code` of a problem may be: all but those of the routes that have an error form of their own. */
export const PROBLEM_CODES: readonly ErrorCode[] = CATALOGUE_ENTRIES.filter(
  ([, { only }]) => only === undefined,
).map(([code]) => code);
