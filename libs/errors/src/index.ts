export {
  ERROR_CATALOGUE,
  ERROR_CATALOGUE_ENTRIES,
  type ErrorCode,
  PROBLEM_JSON_ERROR_CODES,
} from './error-catalogue.js';
export type { RetryAdvice } from './catalogue/error-catalogue-entry.js';
export { describeError } from './describe-error.js';
export { findNearestName } from './find-nearest-name.js';
export {
  isPrintableText,
  isTextWithoutControlCharacters,
  replaceControlAndDirectionCharacters,
} from './printable-text.js';
export { PROBLEM_CONTENT_TYPE, type Problem, toProblem } from './problem.js';
export {
  type InvalidField,
  createInvalidFieldError,
  createInvalidFieldsError,
  ServiceError,
} from './service-error.js';
