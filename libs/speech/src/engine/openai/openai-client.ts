import { once } from 'node:events';
import { Agent, type Dispatcher, type FormData, request } from 'undici';
import type { TimestampGranularity } from './transcription-request.js';

/** Where the recognition is done, and how patient to be with it. */
export interface OpenAiOptions {
  /** What `/audio/transcriptions` is appended to, such as `http://gpu:8000/v1`. */
  baseUrl: string;
  /** Sent as a bearer token, and nowhere else. */
  apiKey?: string | undefined;
  model: string;
  /** Requests under way at once. */
  concurrency: number;
  /** Seconds that one try may take in all; also the longest wait that a server is granted between two. */
  timeoutSeconds: number;
  /** Tries of one chunk. */
  attempts: number;
  /** Milliseconds before the second try; doubled for each further one. */
  initialBackoffMs?: number;
  /** Milliseconds in which a connection has to be made. */
  connectTimeoutMs?: number;
  /** Told when the server refused to give more than this of several chunks in a row; it is then asked for no more. */
  onGranularityReduced?: (detail: TimestampGranularity) => void;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Many times what the words of the longest chunk take. */
const MAX_RESPONSE_BYTES = 16 * 2 ** 20;
const EXCERPT_CHARACTERS = 200;

export interface OpenAiResponse {
  status: number;
  retryAfter: string | null;
  /** True when the server says that the same must not be asked again, which may be paid for again. */
  retryForbidden: boolean;
  /** The whole body. */
  text: string;
  /** The beginning of the body for messages and the log. Some servers repeat the key: not here. */
  excerpt: string;
}

/** No answer came, or none that can be used. The message names the trouble, never the key. */
export class OpenAiRequestError extends Error {
  override readonly name = 'OpenAiRequestError';

  constructor(
    problem: string,
    /** Seconds that the server asked to be left alone. */
    readonly retryAfterSeconds: number | null = null,
    options: { cause?: unknown } = {},
    /** It takes nothing from anybody at the moment, whatever was asked. */
    readonly serverUnavailable = isConnectionError(options.cause),
  ) {
    super(problem, options);
  }
}

const CONNECTION_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function isConnectionError(cause: unknown): boolean {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && CONNECTION_ERROR_CODES.has(code);
}

/** The connections to a server that speaks OpenAI's interface. */
export class OpenAiClient {
  private readonly agent: Agent;
  private readonly base: string;

  constructor(private readonly options: OpenAiOptions) {
    this.base = options.baseUrl.replace(/\/+$/, '');
    this.agent = new Agent({
      connect: { timeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS },
      // One try has one limit, below.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * One exchange, within `timeoutSeconds`.
   * @throws OpenAiRequestError when no whole answer came; the reason of the signal when it is aborted
   */
  async send(path: string, form: FormData | null, signal: AbortSignal): Promise<OpenAiResponse> {
    const { timeoutSeconds } = this.options;
    const late = AbortSignal.timeout(timeoutSeconds * 1000);
    const stop = AbortSignal.any([signal, late]);
    try {
      return await raceAbort(this.exchange(path, form, stop), stop);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof OpenAiRequestError) throw error;
      const problem = late.aborted ? `no answer within ${timeoutSeconds} s` : `no answer: ${reasonOf(error)}`;
      throw new OpenAiRequestError(problem, null, { cause: error });
    }
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async exchange(path: string, form: FormData | null, signal: AbortSignal): Promise<OpenAiResponse> {
    const { apiKey } = this.options;
    const answer = await request(`${this.base}${path}`, {
      dispatcher: this.agent,
      method: form ? 'POST' : 'GET',
      body: form,
      headers: { accept: 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      signal,
    });
    const after = answer.headers['retry-after'];
    const text = await readText(answer.body);
    return {
      status: answer.statusCode,
      retryAfter: typeof after === 'string' ? after : null,
      retryForbidden: answer.headers['x-should-retry'] === 'false',
      text,
      excerpt: (apiKey ? text.replaceAll(apiKey, '[key]') : text).slice(0, EXCERPT_CHARACTERS),
    };
  }
}

/** The connections do not listen to the signal as long as one is still being made. */
async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const settled = new AbortController();
  const aborted = once(signal, 'abort', { signal: settled.signal }).then(() => {
    throw signal.reason as Error;
  });
  aborted.catch(() => undefined);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    settled.abort();
    work.catch(() => undefined);
  }
}

async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_RESPONSE_BYTES)
      throw new OpenAiRequestError(`an answer of more than ${MAX_RESPONSE_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message);
}
