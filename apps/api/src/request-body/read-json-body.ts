import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createInvalidFieldError, type ServiceError } from '@app/errors';
import type { ConcurrencyLimiter } from '../admission/concurrency-limiter.js';
import { assertIdentityContentEncoding } from './assert-identity-content-encoding.js';
import { GrowingBuffer } from './growing-buffer.js';

/** Fatal, because replaced characters would be stored as if the caller had sent them. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });
const JSON_TYPE = /^application\/json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;
const UTF8_CHARSETS = ['utf-8', 'utf8', 'us-ascii'];

/** For a body of unknown length. */
const INITIAL_BYTES = 16 * 1024;

export interface JsonBodyLimits {
  /** Bytes of the whole body. */
  maxBytes: number;
  /** Time for the whole body to arrive, from the first read. */
  timeoutMs: number;
}

/**
 * Parses a JSON body from its stream (`register-unread-body-passthrough.ts`). Any other value is returned unchanged.
 * @param limiter in bytes
 * @param owner of the memory
 * @throws ServiceError `validation_failed` naming `Content-Type`, `Content-Encoding` or `body`, `service_unavailable`; the rest of
 * the body is unread then.
 * The stream's own error when the client disconnects
 */
export async function readJsonBody(
  body: unknown,
  limits: JsonBodyLimits,
  limiter: ConcurrencyLimiter,
  owner: string,
): Promise<unknown> {
  if (!(body instanceof IncomingMessage)) return body;
  const { 'content-length': length } = body.headers;
  assertUtf8Json(body.headers);
  if (Number(length ?? 0) > limits.maxBytes) throw bodyTooLargeError();
  // Node limits the body to its Content-Length.
  const size = length === undefined ? limits.maxBytes : Number(length);
  const bytes = await limiter.run(owner, () => readBytes(body, limits), size);
  const text = decodeUtf8(bytes);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw createInvalidFieldError('body', 'is not valid JSON');
  }
}

function assertUtf8Json(headers: IncomingHttpHeaders): void {
  const { 'content-type': type = '' } = headers;
  if (!JSON_TYPE.test(type)) throw createInvalidFieldError('Content-Type', 'must be application/json');
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? 'utf-8';
  if (!UTF8_CHARSETS.includes(charset))
    throw createInvalidFieldError('Content-Type', 'must have the charset utf-8');
  assertIdentityContentEncoding(headers);
}

/** Without a byte order mark. */
function decodeUtf8(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw createInvalidFieldError('body', 'is not UTF-8');
  }
}

/** Pauses the stream on an error but keeps the connection, so that the client can read the response. */
function readBytes(body: IncomingMessage, { maxBytes, timeoutMs }: JsonBodyLimits): Promise<Buffer> {
  const { 'content-length': length } = body.headers;
  const initialBytes = length === undefined ? Math.min(INITIAL_BYTES, maxBytes) : Number(length);
  return new Promise((resolve, reject) => {
    const received = new GrowingBuffer(initialBytes, maxBytes);
    const stop = () => {
      clearTimeout(timer);
      body.off('data', append).off('end', finish).off('error', fail).pause();
    };
    const fail = (error: Error) => {
      stop();
      reject(error);
    };
    const finish = () => {
      stop();
      resolve(received.toBuffer());
    };
    const append = (chunk: Buffer) => {
      if (received.length + chunk.byteLength > maxBytes) return fail(bodyTooLargeError());
      received.append(chunk);
    };
    const timer = setTimeout(() => fail(bodyTimeoutError(timeoutMs)), timeoutMs);
    body.on('data', append).on('end', finish).on('error', fail);
  });
}

function bodyTooLargeError(): ServiceError {
  return createInvalidFieldError('body', 'is too large for a JSON request');
}

function bodyTimeoutError(withinMs: number): ServiceError {
  return createInvalidFieldError('body', `did not arrive within ${withinMs / 1000} s`);
}
