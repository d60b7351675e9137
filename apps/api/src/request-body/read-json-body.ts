import { IncomingMessage } from 'node:http';
import type { ConcurrencyLimiter } from '../admission/concurrency-limiter.js';
import { invalidField, type ServiceError } from '@app/errors';

const UTF8 = new TextDecoder();
const JSON_TYPE = /^application\/json\s*(;|$)/i;

export interface JsonBodyLimits {
  /** Bytes of the whole body. */
  maxBytes: number;
  /** Milliseconds in which all of it has to arrive, from the moment it is asked for. */
  withinMs: number;
}

/**
 * The value of a JSON body that was handed over unread (`unread-body.ts`). Anything else is given back as it is: no body.
 * @param limiter in bytes, by API key
 * @throws ServiceError `validation_failed` naming `Content-Type` or `body`, `service_unavailable`; the rest of the body is unread
 * then.
 * The stream's own error when its sender is gone
 */
export async function readJsonBody(
  body: unknown,
  limits: JsonBodyLimits,
  limiter: ConcurrencyLimiter,
): Promise<unknown> {
  if (!(body instanceof IncomingMessage)) return body;
  const { 'content-type': type = '', 'content-length': length, 'x-api-key': key } = body.headers;
  if (!JSON_TYPE.test(type)) throw invalidField('Content-Type', 'must be application/json');
  if (Number(length ?? 0) > limits.maxBytes) throw tooLarge();
  // The guards have accepted the key. A body cannot be longer than it says: what comes after that is another request.
  const size = length === undefined ? limits.maxBytes : Number(length);
  const bytes = await limiter.run(String(key), () => bytesOf(body, limits), size);
  try {
    // Takes a byte order mark off, as some systems write it.
    return JSON.parse(UTF8.decode(bytes)) as unknown;
  } catch {
    throw invalidField('body', 'is not valid JSON');
  }
}

/** Stops listening, but leaves the connection alone, when it has to refuse: the sender is to read why. */
function bytesOf(body: IncomingMessage, { maxBytes, withinMs }: JsonBodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
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
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    };
    const append = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > maxBytes) fail(tooLarge());
    };
    const timer = setTimeout(() => fail(tooSlow(withinMs)), withinMs);
    body.on('data', append).on('end', finish).on('error', fail);
  });
}

function tooLarge(): ServiceError {
  return invalidField('body', 'is too large for a JSON request');
}

function tooSlow(withinMs: number): ServiceError {
  return invalidField('body', `did not arrive within ${withinMs / 1000} s`);
}
