import { PROBLEM_CONTENT_TYPE, type ServiceError, toProblem } from '@app/errors';
import { isOpenAiPath, toOpenAiErrorResponse } from './openai-error-response.js';

/** Headers of every response unless its route overrides them: no caching, no MIME sniffing. */
export const DEFAULT_RESPONSE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

export interface ErrorResponse {
  status: number;
  headers: Record<string, string | number>;
  body: object;
}

/** Renders an error as a problem, or in OpenAI's format below `/v1`. */
export function toErrorResponse(error: ServiceError, request: { url: string; id: string }): ErrorResponse {
  const { status, headers, body } = isOpenAiPath(request.url)
    ? toOpenAiErrorResponse(error)
    : {
        status: error.status,
        headers: { 'content-type': PROBLEM_CONTENT_TYPE },
        body: toProblem(error, request.id),
      };
  const { retryAfter } = error;
  return {
    status,
    headers: { ...headers, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) },
    body,
  };
}
