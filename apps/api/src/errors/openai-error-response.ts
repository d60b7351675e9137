import type { ErrorCode, ServiceError } from '@app/errors';

export interface OpenAiErrorBody {
  error: { message: string; type: string; param: string | null; code: string };
}

interface OpenAiEquivalent {
  status?: number;
  type?: string;
  code?: string;
}

/** Codes for which OpenAI uses another status, type or code. */
const OPENAI_EQUIVALENTS: Partial<Record<ErrorCode, OpenAiEquivalent>> = {
  validation_failed: { status: 400 },
  not_found: { code: 'unknown_url' },
  insufficient_credits: { status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
  rate_limit_exceeded: { type: 'requests' },
  concurrency_limit_exceeded: { type: 'requests' },
  job_cancelled: { status: 409 },
  job_failed: { status: 500 },
};

export function isOpenAiApiPath(url: string): boolean {
  return /^\/v1(?:[/?]|$)/.test(url);
}

/** `param` is the invalid form field, or null. */
export function toOpenAiErrorResponse(error: ServiceError): {
  status: number;
  headers: Record<string, string>;
  body: OpenAiErrorBody;
} {
  const equivalent = OPENAI_EQUIVALENTS[error.code];
  const status = equivalent?.status ?? error.status;
  const type = equivalent?.type ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      // Clients retry any 429, which cannot help without credits.
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
