import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import pTimeout from 'p-timeout';
import { Agent, type FormData, request } from 'undici';
import { resolveServerUrl } from './resolve-server-url.js';
import type { FormField, ResponseGranularity, VocabularyFormFieldName } from './transcription-request.js';
import type { AudioFormatSetting } from './upload-format.js';

export interface OpenAiOptions {
  /** Such as `http://gpu:8000/v1`. */
  baseUrl: string;
  /** Bearer token; sent nowhere else. */
  apiKey?: string | undefined;
  model: string;
  audioFormat: AudioFormatSetting;
  /** Fields of the form that carry the vocabulary. */
  vocabularyFields: readonly VocabularyFormFieldName[];
  /** Further fields of each transcription request; their values may be secret. */
  formFields: readonly FormField[];
  concurrency: number;
  /** Timeout of one attempt; also limits `Retry-After`. */
  timeoutSeconds: number;
  attempts: number;
  /** Delay before the second attempt; doubles with each further one. */
  initialBackoffMs?: number;
  connectTimeoutMs?: number;
  /** Limits each request of `check`. */
  checkTimeoutSeconds?: number;
  /** Called when the server rejected finer timestamps for several consecutive chunks. */
  onGranularityReduced?: (detail: ResponseGranularity) => void;
  /** Called when the server rejected FLAC for several consecutive chunks. */
  onFlacRejected?: () => void;
  /** Called for each chunk that could not be encoded as FLAC. */
  onFlacFailed?: (error: unknown) => void;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Far more than the transcript of the longest chunk. */
const MAX_RESPONSE_BYTES = 16 * 2 ** 20;
const EXCERPT_CHARACTERS = 200;
/** Shorter values of form fields (`auto`, `true`) are common words in responses. */
const MIN_SECRET_CHARACTERS = 6;

export interface OpenAiResponse {
  status: number;
  retryAfter: string | null;
  /** The server forbids retries (`x-should-retry: false`), which could be charged again. */
  retryForbidden: boolean;
  text: string;
  /**
   * Start of the body for error messages and the log, without the API key, the values of form fields, and control characters,
   * which Postgres may not store.
   */
  excerpt: string;
}

/** Whether a failed request shows that the server is not in service; `possible`: the request may be the reason as well. */
export type OutageLikelihood = 'certain' | 'possible' | 'none';

interface RequestErrorOptions {
  cause?: unknown;
  /** By default that of the cause. */
  outage?: OutageLikelihood;
  retryForbidden?: boolean;
}

/** No usable response. The message never contains the API key. */
export class OpenAiRequestError extends Error {
  override readonly name = 'OpenAiRequestError';
  readonly outage: OutageLikelihood;
  /** That of the first attempt, if this is the last one of several. */
  firstOutage: OutageLikelihood;
  /** The server forbids retries (`x-should-retry: false`). */
  readonly retryForbidden: boolean;

  constructor(
    problem: string,
    /** From `Retry-After`. */
    readonly retryAfterSeconds: number | null = null,
    { cause, outage = findOutage(cause), retryForbidden = false }: RequestErrorOptions = {},
  ) {
    super(problem, cause === undefined ? {} : { cause });
    this.outage = outage;
    this.firstOutage = outage;
    this.retryForbidden = retryForbidden;
  }
}

const OUTAGES: ReadonlyMap<unknown, OutageLikelihood> = new Map<unknown, OutageLikelihood>([
  ['ECONNREFUSED', 'certain'],
  ['ENOTFOUND', 'certain'],
  ['EAI_AGAIN', 'certain'],
  ['EHOSTUNREACH', 'certain'],
  ['ENETUNREACH', 'certain'],
  ['UND_ERR_CONNECT_TIMEOUT', 'certain'],
  // This machine has no network, no free port or file, or a firewall.
  ['ENETDOWN', 'certain'],
  ['EADDRNOTAVAIL', 'certain'],
  ['EMFILE', 'certain'],
  ['ENFILE', 'certain'],
  ['EACCES', 'certain'],
  ['EPERM', 'certain'],
  ['EAI_FAIL', 'certain'],
  ['EPROTO', 'certain'],
]);
/** Of the connection and of certificates, as in `CERT_HAS_EXPIRED` and `UNABLE_TO_VERIFY_LEAF_SIGNATURE`. */
const TLS_ERROR_CODE = /^(?:ERR_TLS_|ERR_SSL_|UNABLE_TO_)|CERT|^HOSTNAME_MISMATCH$/;

/**
 * Any other error of a connection is a possible outage: a proxy whose server is down accepts connections, and a server that hangs
 * does not respond in time. A server may also end, or take too long, over one recording.
 */
function findOutage(cause: unknown): OutageLikelihood {
  const { code, name } = (cause ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === 'string' && TLS_ERROR_CODE.test(code)) return 'certain';
  return OUTAGES.get(code) ?? (typeof code === 'string' || name === 'TimeoutError' ? 'possible' : 'none');
}

export class OpenAiClient {
  private readonly agent: Agent;
  /** When the server last answered anything but 429 or 5xx, by `performance.now()`. */
  lastAnsweredAt = -Infinity;

  constructor(private readonly options: OpenAiOptions) {
    this.agent = new Agent({
      connect: { timeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS },
      // `send` enforces one timeout for the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** @throws OpenAiRequestError when no complete response arrives; the reason of the signal when it is aborted */
  async send(
    path: string,
    form: FormData | null,
    signal: AbortSignal,
    timeoutSeconds = this.options.timeoutSeconds,
  ): Promise<OpenAiResponse> {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
    const combined = AbortSignal.any([signal, timeout]);
    const response = this.exchange(path, form, combined);
    response.catch(() => undefined);
    try {
      // undici ignores the signal while a connection is being established.
      return await pTimeout(response, { milliseconds: Infinity, signal: combined });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof OpenAiRequestError) throw error;
      const problem = timeout.aborted
        ? `no response within ${timeoutSeconds} s`
        : `no response: ${reasonOf(error)}`;
      throw new OpenAiRequestError(problem, null, { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async exchange(path: string, form: FormData | null, signal: AbortSignal): Promise<OpenAiResponse> {
    const { apiKey, baseUrl } = this.options;
    const response = await request(resolveServerUrl(baseUrl, path), {
      dispatcher: this.agent,
      method: form ? 'POST' : 'GET',
      body: form,
      headers: { accept: 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      signal,
    });
    if (response.statusCode < 500 && response.statusCode !== 429) this.lastAnsweredAt = performance.now();
    const after = response.headers['retry-after'];
    const encoding = response.headers['content-encoding'];
    const text = await readText(decode(response.body, encoding));
    return {
      status: response.statusCode,
      retryAfter: typeof after === 'string' ? after : null,
      retryForbidden: response.headers['x-should-retry'] === 'false',
      text,
      excerpt: toExcerptWithoutControlCharacters(this.removeSecrets(text)),
    };
  }

  /** Servers may repeat what they were sent. */
  private removeSecrets(text: string): string {
    const { apiKey, formFields } = this.options;
    let safe = apiKey ? text.replaceAll(apiKey, '[key]') : text;
    for (const [name, value] of formFields)
      if (value.length >= MIN_SECRET_CHARACTERS) safe = safe.replaceAll(value, `[${name}]`);
    return safe;
  }
}

export function toExcerptWithoutControlCharacters(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, EXCERPT_CHARACTERS);
}

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** No encoding is asked for, but some proxies compress anyway. @throws OpenAiRequestError for an unknown encoding */
function decode(body: Readable, encoding: string | string[] | undefined): Readable {
  const name = String(encoding ?? 'identity').toLowerCase();
  if (name === 'identity') return body;
  const create = DECODERS.get(name);
  if (!create) {
    // A body that is destroyed before its end emits an error.
    body.once('error', () => undefined).destroy();
    throw new OpenAiRequestError(`a response with the unknown content encoding ${name}`);
  }
  // An error of either ends the reading.
  return pipeline(body, create(), () => undefined);
}

async function readText(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_RESPONSE_BYTES)
      throw new OpenAiRequestError(`a response of more than ${MAX_RESPONSE_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message);
}
