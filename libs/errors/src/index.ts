export { CATALOGUE, type ErrorCode } from './catalogue.js';
export { PROBLEM_CONTENT_TYPE, type Problem, toProblem } from './problem.js';
export { type FieldError, invalidField, ServiceError, type ServiceErrorDetails } from './service-error.js';
