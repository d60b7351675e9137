export { CATALOGUE, CATALOGUE_ENTRIES, type ErrorCode, PROBLEM_CODES } from './catalogue.js';
export type { CatalogueEntry, Retry } from './catalogue/entry.js';
export { nearestName } from './nearest-name.js';
export { PROBLEM_CONTENT_TYPE, type Problem, toProblem } from './problem.js';
export { type FieldError, invalidField, ServiceError, type ServiceErrorDetails } from './service-error.js';
