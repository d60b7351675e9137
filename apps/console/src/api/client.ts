import { texts } from '../texts/index.ts';
import { getShownAccountId } from './shown-account.ts';

export interface FieldError {
  field: string;
  message: string;
}

interface ProblemBody {
  code?: string;
  detail?: string;
  request_id?: string;
  errors?: FieldError[];
}

const TIMEOUT_MS = 20_000;
/** For transcripts and downloads, which may be large: as long as the client and the command line wait. */
export const LARGE_RESPONSE_TIMEOUT_MS = 60_000;

/** A response that is not a success. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly requestId: string | null;
  readonly fields: FieldError[];

  /** @param retryAfterSeconds of the header, null without one */
  constructor(
    readonly status: number,
    body: ProblemBody,
    readonly retryAfterSeconds: number | null,
  ) {
    super(body.detail ?? texts.errors.unexpected(status));
    this.code = body.code ?? 'unknown';
    this.requestId = body.request_id ?? null;
    this.fields = body.errors ?? [];
  }
}

/** The connection failed, so there is no response. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface RequestOptions {
  headers?: Readonly<Record<string, string>> | undefined;
  /** Until the whole response has arrived. */
  timeoutMs?: number | undefined;
}

/** @param path below `/console/api/` */
export async function requestJson<T>(
  method: Method,
  path: string,
  body?: unknown,
  { headers, timeoutMs }: RequestOptions = {},
): Promise<T> {
  const response = await send(method, path, { body, headers, timeoutMs });
  return parseJson(await readBody(response, () => response.text())) as T;
}

/** A file, such as a transcript in a format for another program. */
export async function requestFile(path: string): Promise<Blob> {
  const response = await send('GET', path, { timeoutMs: LARGE_RESPONSE_TIMEOUT_MS });
  return readBody(response, () => response.blob());
}

/** @throws ApiError unless the response is a success */
async function readBody<T>(response: Response, read: () => Promise<T>): Promise<T> {
  const lostConnection = (error: unknown) => {
    throw new NoResponseError(texts.errors.offline, { cause: error });
  };
  if (response.ok) return read().catch(lostConnection);
  const parsed = parseJson(await response.text().catch(lostConnection));
  const retryAfter = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  throw new ApiError(
    response.status,
    (parsed ?? {}) as ProblemBody,
    Number.isNaN(retryAfter) ? null : retryAfter,
  );
}

async function send(
  method: Method,
  path: string,
  { body, headers, timeoutMs = TIMEOUT_MS }: RequestOptions & { body?: unknown },
): Promise<Response> {
  const shownAccount = getShownAccountId();
  try {
    return await fetch(new URL(`api/${path}`, document.baseURI), {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        accept: 'application/json',
        'x-console': '1',
        ...(shownAccount !== null && { 'x-console-account': shownAccount }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    throw new NoResponseError(texts.errors.offline, { cause: error });
  }
}

/** Proxies answer with HTML if the service is down. */
function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function isNotSignedInError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_signed_in';
}

/** Codes of responses that the session, as the page has read it, does not explain. */
const SESSION_OUTDATED_CODES = [
  'not_signed_in',
  // The request was for the account that this tab shows, but another tab has switched the session to another one.
  'account_switched',
  // The account has begun to require two factors, and the session has one.
  'two_factors_required',
  // The user has got another role.
  'permission_denied',
];

/** Whether the session has to be read again. */
export function isSessionOutdatedError(error: unknown): boolean {
  return error instanceof ApiError && SESSION_OUTDATED_CODES.includes(error.code);
}

/** What the request is about does not exist, or does so no more. */
export function isNotFoundError(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Whether a read may succeed if it is sent again. */
export function isTransientError(error: unknown): boolean {
  return (
    error instanceof NoResponseError || (error instanceof ApiError && [502, 503, 504].includes(error.status))
  );
}
