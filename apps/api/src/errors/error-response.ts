import { PROBLEM_CONTENT_TYPE, type ServiceError, toProblem } from '@app/errors';
import { isOpenAiApiPath, toOpenAiErrorResponse } from './openai-error-response.js';

export interface ErrorResponse {
  status: number;
  headers: Record<string, string | number>;
  body: object;
}

/** Renders an error as a problem, or in OpenAI's format below `/v1`. */
export function toErrorResponse(error: ServiceError, request: { url: string; id: string }): ErrorResponse {
  const { status, headers, body } = isOpenAiApiPath(request.url)
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
