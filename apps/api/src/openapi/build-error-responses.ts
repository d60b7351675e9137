import { ERROR_CATALOGUE, type ErrorCode, createInvalidFieldError, ServiceError } from '@app/errors';
import { OUTPUT_TYPES } from '@app/jobs';
import { type ErrorResponse, toErrorResponse } from '../errors/error-response.js';
import { TRANSCRIPTION_RESPONSE_FORMATS } from '../transcribe/openai/form/parse-transcription-params.js';
import { isOpenAiApiPath } from '../errors/openai-error-response.js';
import {
  type Components,
  type Header,
  type MediaType,
  type Ref,
  type Response,
  toSchemaRef,
} from './document-types.js';
import { EXAMPLE_VALUES } from './example-values.js';
import { toHeaderRefs } from './headers.js';
import { type DocumentedErrorFormat, selectDocumentedErrorFormat } from './documented-error-format.js';

export interface ErrorResponseRoute {
  /** Determines the error format. */
  path: string;
  /** Whether the route has a rate limit. */
  isLimited: boolean;
  headers: Record<string, Header | Ref>;
}

interface DocumentedError {
  code: ErrorCode;
  response: ErrorResponse;
}

/**
 * Builds one response per status for all its codes. A response with a single code is moved to `components` if its
 * format is the same on all routes.
 */
export function buildErrorResponses(
  codes: readonly ErrorCode[],
  route: ErrorResponseRoute,
  components: Components,
): Record<string, Response | Ref> {
  const format = selectDocumentedErrorFormat(route.path);
  const all = [...new Set(codes)].map((code): DocumentedError => ({
    code,
    response: buildExampleResponse(code, route.path),
  }));
  const statuses = [...new Set(all.map(({ response }) => response.status))];
  const responses = statuses.map((status) => {
    const same = all.filter(({ response }) => response.status === status);
    const response = buildResponse(status, same, route, format);
    return [String(status), format.isShared ? shareResponse(same, response, components) : response];
  });
  return Object.fromEntries(responses) as Record<string, Response | Ref>;
}

function shareResponse(
  [error, ...more]: DocumentedError[],
  response: Response,
  components: Components,
): Response | Ref {
  if (error === undefined || more.length > 0) return response;
  const name = error.code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  components.responses[name] = response;
  return { $ref: `#/components/responses/${name}` };
}

function buildResponse(
  status: number,
  errors: DocumentedError[],
  { isLimited, headers }: ErrorResponseRoute,
  format: DocumentedErrorFormat,
): Response {
  const names = ['X-Request-Id'];
  // An invalid key is rejected before the rate limit counts the request.
  if (isLimited && status !== 401) names.push('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');
  if (format.isShared && status !== 401 && status !== 429) names.push('X-Ignored-Fields');
  return {
    description: errors.map(({ code }) => ERROR_CATALOGUE[code].title).join(' Or: '),
    headers: { ...toHeaderRefs(...names), ...format.headers(status), ...headers },
    content: { [getContentType(errors)]: buildContent(status, errors, format) },
  };
}

/** Without its parameters. */
function getContentType([error]: DocumentedError[]): string {
  return String(error?.response.headers['content-type']).split(';')[0] ?? '';
}

function buildContent(status: number, errors: DocumentedError[], format: DocumentedErrorFormat): MediaType {
  const bodies = errors.map(({ response }) => response.body);
  const examples = errors.map(({ code, response: { body } }) => [
    format.getCode(body),
    { summary: ERROR_CATALOGUE[code].title, value: body },
  ]);
  return {
    schema: { allOf: [toSchemaRef(format.schema), format.narrowSchema(status, bodies)] },
    examples: Object.fromEntries(examples) as MediaType['examples'],
  };
}

function buildExampleResponse(code: ErrorCode, path: string): ErrorResponse {
  return toErrorResponse(buildExampleError(code, path), { url: path, id: EXAMPLE_VALUES.requestId });
}

/** An error about a field names one that the route has. */
function buildExampleError(code: ErrorCode, path: string): ServiceError {
  if (code !== 'validation_failed') return new ServiceError(code);
  if (isOpenAiApiPath(path))
    return createInvalidFieldError(
      'response_format',
      `must be one of: ${TRANSCRIPTION_RESPONSE_FORMATS.join(', ')}`,
    );
  return createInvalidFieldError('output_type', `must be one of: ${OUTPUT_TYPES.join(', ')}`);
}
