import { PROBLEM_CONTENT_TYPE, type ServiceError, toProblem } from '@app/errors';
import { isOpenAiPath, toOpenAiErrorResponse } from '../openai/openai-error.js';

/** A refusal as it goes over the wire. */
export interface ErrorResponse {
  status: number;
  headers: Record<string, string | number>;
  body: object;
}

/** One catalogue of errors; the routes that speak OpenAI's language tell them in OpenAI's form. */
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
