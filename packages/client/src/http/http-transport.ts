import { ApiError, ConnectionError, createApiError, WrongServerError, ZephyrError } from '../errors.js';
import { assertKnownClientOptions, requireInteger, type ZephyrOptions } from '../options.js';
import { parseServerSentEvents, type ServerSentEvent } from '../events/server-sent-events.js';
import { withRetries } from './retry.js';
import { IdleTimeoutController } from './idle-timeout-controller.js';
import { describeConnectionFailure } from './describe-connection-failure.js';
import { parseBaseUrl } from './parse-base-url.js';
import { readBytes } from './read-bytes.js';
import { rejectRedirect } from './reject-redirect.js';

const DEFAULT_MAX_RETRIES = 6;
const DEFAULT_TIMEOUT_MS = 60_000;
/** The service disconnects a slower sender. */
const MIN_BYTES_PER_SECOND = 1024;
/** A longer timer would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** `null` for routes that need no key. */
export type HttpTransportOptions = Omit<ZephyrOptions, 'apiKey'> & { apiKey: string | null | undefined };

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the URL of the service. */
  path: string;
  query?: URLSearchParams;
  json?: unknown;
  /** A field that the response has, unless another server than the service sent it. */
  expectedField?: string;
  headers?: Record<string, string>;
  /** Instead of those of the client. */
  maxRetries?: number;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

export interface PutRequest {
  /** Made by `copyToBlobOfSlices`. */
  body: Blob;
  contentType?: string;
  signal?: AbortSignal | undefined;
}

/** Reads a successful response within its attempt. */
type ReadResponse<T> = (response: Response, limit: IdleTimeoutController) => Promise<T>;

/** Sends requests to the service and to signed URLs, with the key, a time limit and retries. */
export class HttpTransport {
  readonly maxRetries: number;
  readonly baseUrl: URL;
  private readonly timeoutMs: number;
  private readonly fetch: typeof fetch;
  private readonly headers: Headers;

  /** @throws TypeError that names the wrong option */
  constructor(options: HttpTransportOptions) {
    assertKnownClientOptions(options);
    this.baseUrl = parseBaseUrl(options.baseUrl);
    this.maxRetries = requireInteger('maxRetries', options.maxRetries ?? DEFAULT_MAX_RETRIES, 0);
    this.timeoutMs = requireInteger('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS, 1);
    this.headers = createHeaders(options.apiKey);
    // Browsers refuse a `fetch` that is called as a method of something else.
    const own = options.fetch ?? globalThis.fetch;
    this.fetch = (input, init) => own(input, init);
  }

  /** @returns the parsed body */
  async requestJson<T extends object>(request: ApiRequest): Promise<T> {
    return (await this.requestJsonWithHeaders<T>(request)).body;
  }

  async requestJsonWithHeaders<T extends object>(
    request: ApiRequest,
  ): Promise<{ body: T; headers: Headers }> {
    const { text, headers } = await this.requestBody(request, async (response) => ({
      text: await response.text(),
      headers: response.headers,
    }));
    const body = parseJsonObject(text) as T | undefined;
    const expected = request.expectedField;
    if (body === undefined || (expected !== undefined && !(expected in body)))
      throw new WrongServerError(this.resolve(request));
    return { body, headers };
  }

  /** @returns the body of a successful response, such as a transcript */
  requestBytes(request: ApiRequest): Promise<Uint8Array<ArrayBuffer>> {
    return this.requestBody(request, readBytes);
  }

  private requestBody<T>(request: ApiRequest, read: ReadResponse<T>): Promise<T> {
    const { signal, timeoutMs = this.timeoutMs, maxRetries = this.maxRetries } = request;
    const attempt = () => this.send(this.resolve(request), this.createInit(request), timeoutMs, signal, read);
    return withRetries(attempt, { maxRetries, signal });
  }

  /** A repeated request that finds nothing succeeds: the response to an earlier one was lost. */
  async delete(path: string, signal: AbortSignal | undefined): Promise<void> {
    const request: ApiRequest = { method: 'DELETE', path, signal };
    let attempts = 0;
    const attempt = () => {
      attempts += 1;
      return this.send(this.resolve(request), this.createInit(request), this.timeoutMs, signal, (response) =>
        response.text(),
      );
    };
    try {
      await withRetries(attempt, { maxRetries: this.maxRetries, signal });
    } catch (error) {
      if (!(attempts > 1 && error instanceof ApiError && error.status === 404)) throw error;
    }
  }

  /**
   * The events of one connection. It is ended when nothing arrives for `silenceMs`.
   * @param onHeartbeat called for every comment that arrives between events
   * @throws ApiError, ConnectionError, or the reason of the signal
   */
  async *streamOnce(
    request: ApiRequest,
    silenceMs: number,
    onHeartbeat: () => void,
  ): AsyncGenerator<ServerSentEvent> {
    const url = this.resolve(request);
    const limit = new IdleTimeoutController(silenceMs, url.origin, request.signal);
    try {
      const response = await this.fetchSuccess(url, { ...this.createInit(request), signal: limit.signal });
      if (response.body === null) throw new ConnectionError('The event stream has no body.');
      const events = parseServerSentEvents(response.body, () => limit.restart(), onHeartbeat);
      for await (const event of events) {
        // A slow consumer is no silence of the service.
        limit.suspend();
        yield event;
        limit.restart();
      }
    } catch (error) {
      throw this.translateError(error, url, limit, request.signal);
    } finally {
      limit.clear();
    }
  }

  /** PUTs bytes to a signed URL. @returns the headers of the response */
  put(url: string, { body, contentType, signal }: PutRequest): Promise<Headers> {
    const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
    const timeoutMs = Math.min(MAX_TIMER_MS, this.timeoutMs + (body.size / MIN_BYTES_PER_SECOND) * 1000);
    const read = async (response: Response) => {
      await response.arrayBuffer();
      return response.headers;
    };
    const attempt = () => this.send(new URL(url), { method: 'PUT', body, headers }, timeoutMs, signal, read);
    return withRetries(attempt, { maxRetries: this.maxRetries, signal });
  }

  /** GETs a signed URL. */
  download(url: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const attempt = () => this.send(new URL(url), {}, this.timeoutMs, signal, readBytes);
    return withRetries(attempt, { maxRetries: this.maxRetries, signal });
  }

  private resolve({ path, query }: ApiRequest): URL {
    const url = new URL(path, this.baseUrl);
    if (query !== undefined) url.search = query.toString();
    return url;
  }

  private createInit(request: ApiRequest): RequestInit {
    const headers = new Headers(this.headers);
    for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, value);
    // `fetch` would send the key to wherever a redirect leads, and make a GET of a POST.
    const init: RequestInit = { method: request.method, headers, redirect: 'manual' };
    if (request.json === undefined) return init;
    headers.set('content-type', 'application/json');
    return { ...init, body: JSON.stringify(request.json) };
  }

  /** One attempt. @throws ApiError, ConnectionError, or the reason of the signal */
  private async send<T>(
    url: URL,
    init: RequestInit,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    read: ReadResponse<T>,
  ): Promise<T> {
    const limit = new IdleTimeoutController(timeoutMs, url.origin, signal);
    try {
      return await read(await this.fetchSuccess(url, { ...init, signal: limit.signal }), limit);
    } catch (error) {
      throw this.translateError(error, url, limit, signal);
    } finally {
      limit.clear();
    }
  }

  private async fetchSuccess(url: URL, init: RequestInit): Promise<Response> {
    const response = await this.fetch(url, init);
    if (init.redirect === 'manual') await rejectRedirect(response, url, this.baseUrl);
    if (!response.ok) throw await createApiError(response, url, this.baseUrl);
    return response;
  }

  private translateError(
    error: unknown,
    url: URL,
    limit: IdleTimeoutController,
    signal?: AbortSignal,
  ): unknown {
    if (signal?.aborted === true) return signal.reason;
    if (limit.signal.aborted) return limit.signal.reason;
    if (error instanceof ZephyrError) return error;
    return new ConnectionError(`No response from ${url.origin}: ${describeConnectionFailure(error)}`, {
      cause: error,
    });
  }
}

function parseJsonObject(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function createHeaders(apiKey: string | null | undefined): Headers {
  const headers = new Headers({ accept: 'application/json, */*' });
  if (apiKey === null) return headers;
  if (apiKey === undefined || apiKey === '') throw new TypeError('apiKey is missing.');
  if (typeof apiKey === 'string' && /^bearer\s/i.test(apiKey))
    throw new TypeError('apiKey must be the text of an API key, without "Bearer".');
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey must be the text of an API key, without blanks or line breaks.');
  headers.set('x-api-key', apiKey);
  return headers;
}
