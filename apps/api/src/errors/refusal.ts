import { PROBLEM_CONTENT_TYPE, type ServiceError, toProblem } from '@app/errors';
import { isOpenAiAddress, openAiRefusal } from '../openai/openai-refusal.js';

/** A refusal as it goes over the wire. */
export interface Refusal {
  status: number;
  headers: Record<string, string | number>;
  body: object;
}

/** One catalogue of errors; the routes that speak OpenAI's language tell them in OpenAI's form. */
export function refusalOf(error: ServiceError, request: { url: string; id: string }): Refusal {
  const { status, headers, body } = isOpenAiAddress(request.url)
    ? openAiRefusal(error)
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
