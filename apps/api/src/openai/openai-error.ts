import type { ErrorCode, ServiceError } from '@app/errors';

/** The body of every refusal in the form that clients of OpenAI's interface read. */
export interface OpenAiError {
  error: { message: string; type: string; param: string | null; code: string };
}

interface OpenAiEquivalent {
  status?: number;
  type?: string;
  code?: string;
}

/** Where OpenAI has another status, type or name for what the catalogue calls by its own. */
const OPENAI_EQUIVALENTS: Partial<Record<ErrorCode, OpenAiEquivalent>> = {
  validation_failed: { status: 400 },
  not_found: { code: 'unknown_url' },
  insufficient_credits: { status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
  rate_limit_exceeded: { type: 'requests' },
  concurrency_limit_exceeded: { type: 'requests' },
  job_cancelled: { status: 409 },
  job_failed: { status: 500 },
};

/** Whether the address is one of those that speak OpenAI's language. */
export function isOpenAiPath(url: string): boolean {
  return /^\/v1(?:[/?]|$)/.test(url);
}

/** `param` is the form field that is to blame, null when there is none. */
export function toOpenAiErrorResponse(error: ServiceError): {
  status: number;
  headers: Record<string, string>;
  body: OpenAiError;
} {
  const equivalent = OPENAI_EQUIVALENTS[error.code];
  const status = equivalent?.status ?? error.status;
  const type = equivalent?.type ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      // Clients take any 429 for a matter of waiting; credit does not come back by that.
      ...(error.code === 'insufficient_credits' && { 'x-should-retry': 'false' }),
    },
    body: {
      error: {
        message: error.detail ?? error.title,
        type,
        param: error.errors?.[0]?.field ?? null,
        code: equivalent?.code ?? error.code,
      },
    },
  };
}
