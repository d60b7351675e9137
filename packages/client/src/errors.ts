import type { EndedJob, ErrorCode, Problem } from './types.js';

/** Base class of every error of the client, except those of its arguments (`TypeError`). */
export class ZephyrError extends Error {
  override name = 'ZephyrError';
  /** Set by `submit` and `transcribe` if no response to the completion of the upload arrived: this job may have been queued. */
  declare job_id?: string;
}

/** No response arrived, or it broke off. `cause` has the error of `fetch`. */
export class ConnectionError extends ZephyrError {
  override name = 'ConnectionError';
}

/** No response arrived within the time limit. */
export class ConnectionTimeoutError extends ConnectionError {
  override name = 'ConnectionTimeoutError';
}

/** Another server answered: the URL of the service is wrong, or something in front of it answers in its place. */
export class WrongServerError extends ZephyrError {
  override name = 'WrongServerError';
  constructor({ origin, pathname }: URL) {
    super(`${origin}${pathname} answered, but not as the service does. Is this the URL of the service?`);
  }
}

/** The URL of the service leads to another one, to which neither the request nor the key is sent. */
export class RedirectError extends ZephyrError {
  override name = 'RedirectError';
  /** @param target is not known in browsers */
  constructor({ origin }: URL, target: string | undefined) {
    super(`${origin} redirects to ${target ?? 'another URL'}; use that URL.`);
  }
}

/** The service, or the object store behind a signed URL, refused the request. */
export class ApiError extends ZephyrError {
  override name = 'ApiError';
  readonly status: number;
  /** Decide on it. `unknown` if the response was not one of the service. */
  readonly code: ErrorCode;
  /** What the object store says if it refused the request, such as `AccessDenied`. */
  readonly storeCode: string | undefined;
  /** By this id the log of the service has the request. */
  readonly request_id: string | undefined;
  /** Every wrong field, if the request was wrong. */
  readonly errors: readonly { field: string; message: string }[];
  /** From `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, problem: Partial<Problem> & { storeCode?: string }, headers: Headers) {
    const code: ErrorCode = problem.code ?? 'unknown';
    const requestId = problem.request_id ?? headers.get('x-request-id') ?? undefined;
    const detail = problem.detail ?? problem.title ?? 'The response has no description of the error.';
    super(`${status} ${code}: ${detail}${requestId === undefined ? '' : ` (request ${requestId})`}`);
    this.status = status;
    this.code = code;
    this.storeCode = problem.storeCode;
    this.request_id = requestId;
    this.errors = (problem.errors ?? []) as readonly { field: string; message: string }[];
    this.retryAfterSeconds = parseRetryAfter(headers.get('retry-after'));
  }
}

/** 401: the API key is missing, wrong or revoked. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 402: the account is out of credit. */
export class InsufficientCreditsError extends ApiError {
  override name = 'InsufficientCreditsError';
}

/** 404: no such job, or what it should have does not exist. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 413: the file is larger than the service takes. */
export class FileTooLargeError extends ApiError {
  override name = 'FileTooLargeError';
}

/** 422, or a 400 that names fields: `errors` has them. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}

/** 429, still after all retries. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** The job has ended without a transcript. */
export class JobFailedError extends ZephyrError {
  override name = 'JobFailedError';
  constructor(readonly job: EndedJob) {
    super(`Job ${job.job_id} failed at ${job.failed_stage ?? 'an unknown stage'}: ${job.reason ?? ''}`);
  }
}

/** A webhook is not authentic, or not a notification. */
export class WebhookVerificationError extends ZephyrError {
  override name = 'WebhookVerificationError';
  /**
   * `headers`: those of Standard Webhooks are incomplete. `signature`: it is wrong, or there is none. `timestamp`:
   * the webhook is authentic, but too old, or from the future. `body`: it is authentic, but no notification.
   */
  readonly failedCheck: 'headers' | 'signature' | 'timestamp' | 'body';
  constructor(message: string, failedCheck: WebhookVerificationError['failedCheck']) {
    super(message);
    this.failedCheck = failedCheck;
  }
}

const CLASSES: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  402: InsufficientCreditsError,
  404: NotFoundError,
  413: FileTooLargeError,
  422: ValidationError,
  429: RateLimitError,
};

/** In the XML of S3. */
const STORE_CODE = /<Error\b[^>]*>\s*<Code>(\w+)<\/Code>/;

/** The error for a response of `url` that is not a success. Reads its body. @param baseUrl the URL of the service */
export async function createApiError(response: Response, url: URL, baseUrl: URL): Promise<ApiError> {
  const problem = parseProblem(await response.text(), url);
  if (problem.code === 'not_found' && baseUrl.pathname !== '/')
    problem.detail = `${problem.detail ?? ''} ${askForBaseUrl(baseUrl)}`.trimStart();
  const hasFields = response.status === 400 && (problem.errors?.length ?? 0) > 0;
  const ErrorClass = hasFields ? ValidationError : (CLASSES[response.status] ?? ApiError);
  return new ErrorClass(response.status, problem, response.headers);
}

/** A service may be mounted below a path, but has no routes below those of its own. */
function askForBaseUrl({ href }: URL): string {
  return `Is ${href.replace(/\/$/, '')} right? The URL of the service ends before /api/v1.`;
}

/** An object store answers with XML, and something between here and the service with whatever it likes. */
function parseProblem(body: string, { origin }: URL): Partial<Problem> & { storeCode?: string } {
  try {
    const parsed = JSON.parse(body) as Partial<Problem> | null;
    if (typeof parsed?.code === 'string') return parsed;
  } catch {
    // Not of the service.
  }
  const storeCode = STORE_CODE.exec(body)?.[1];
  const text = body.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
  const detail = `${origin} sent no error of the service, but ${text || 'an empty body'}`;
  return storeCode === undefined ? { detail } : { detail, storeCode };
}

/** @returns seconds; the header has seconds or a date */
function parseRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
