import { ERROR_CATALOGUE, type ErrorCode, invalidFieldError, ServiceError } from '@app/errors';
import { type ErrorResponse, toErrorResponse } from '../errors/error-response.js';
import { RESPONSE_FORMATS } from '../openai/form/parse-transcription-params.js';
import { isOpenAiPath } from '../openai/openai-error.js';
import {
  type Components,
  type Header,
  type MediaType,
  type Ref,
  type Response,
  schemaRef,
} from './document-types.js';
import { EXAMPLE } from './examples.js';
import { toHeaderRefs } from './headers.js';
import { type ErrorFormat, errorFormatFor } from './error-format.js';

export interface ErrorResponseRoute {
  /** Decides in which form refusals are told, as it does for the service. */
  path: string;
  /** Whether its requests are counted. */
  isLimited: boolean;
  /** Headers that its refusals may have. */
  headers: Record<string, Header | Ref>;
}

interface DocumentedError {
  code: ErrorCode;
  response: ErrorResponse;
}

/**
 * One response a status, for all codes that are told with that status. What one code alone makes up is kept in
 * `components` and referred to, where most routes share it.
 */
export function buildErrorResponses(
  codes: readonly ErrorCode[],
  route: ErrorResponseRoute,
  components: Components,
): Record<string, Response | Ref> {
  const dialect = errorFormatFor(route.path);
  const all = [...new Set(codes)].map((code): DocumentedError => ({
    code,
    response: buildExampleResponse(code, route.path),
  }));
  const statuses = [...new Set(all.map(({ response }) => response.status))];
  const responses = statuses.map((status) => {
    const same = all.filter(({ response }) => response.status === status);
    const response = buildResponse(status, same, route, dialect);
    return [String(status), dialect.isShared ? shareResponse(same, response, components) : response];
  });
  return Object.fromEntries(responses) as Record<string, Response | Ref>;
}

function shareResponse(
  [told, ...more]: DocumentedError[],
  response: Response,
  components: Components,
): Response | Ref {
  if (told === undefined || more.length > 0) return response;
  const name = told.code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  components.responses[name] = response;
  return { $ref: `#/components/responses/${name}` };
}

function buildResponse(
  status: number,
  told: DocumentedError[],
  { isLimited, headers }: ErrorResponseRoute,
  dialect: ErrorFormat,
): Response {
  const names = ['X-Request-Id'];
  // A key that is not valid has no count; whatever else is refused was counted before.
  if (isLimited && status !== 401) names.push('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');
  return {
    description: told.map(({ code }) => ERROR_CATALOGUE[code].title).join(' Or: '),
    headers: { ...toHeaderRefs(...names), ...dialect.headers(status), ...headers },
    content: { [getContentType(told)]: buildContent(status, told, dialect) },
  };
}

/** Without its parameters. */
function getContentType([told]: DocumentedError[]): string {
  return String(told?.response.headers['content-type']).split(';')[0] ?? '';
}

function buildContent(status: number, told: DocumentedError[], dialect: ErrorFormat): MediaType {
  const bodies = told.map(({ response }) => response.body);
  const examples = told.map(({ code, response: { body } }) => [
    dialect.getCode(body),
    { summary: ERROR_CATALOGUE[code].title, value: body },
  ]);
  return {
    schema: { allOf: [schemaRef(dialect.schema), dialect.narrowSchema(status, bodies)] },
    examples: Object.fromEntries(examples) as MediaType['examples'],
  };
}

function buildExampleResponse(code: ErrorCode, path: string): ErrorResponse {
  return toErrorResponse(buildExampleError(code, path), { url: path, id: EXAMPLE.requestId });
}

/** Names a field that the route has, where the code is about a field. */
function buildExampleError(code: ErrorCode, path: string): ServiceError {
  if (code !== 'validation_failed') return new ServiceError(code);
  if (isOpenAiPath(path))
    return invalidFieldError('response_format', `must be one of: ${RESPONSE_FORMATS.join(', ')}`);
  return invalidFieldError('output_type', 'must be one of: json, txt, srt, vtt, docx, pdf');
}
