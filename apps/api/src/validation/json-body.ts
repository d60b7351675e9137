import { IncomingMessage } from 'node:http';
import type { Places } from '../pressure/places.js';
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
 * @param places in bytes, by API key
 * @throws ServiceError `validation_failed` naming `Content-Type` or `body`, `service_unavailable`; the rest of the body is unread
 * then.
 * The stream's own error when its sender is gone
 */
export async function jsonBody(body: unknown, limits: JsonBodyLimits, places: Places): Promise<unknown> {
  if (!(body instanceof IncomingMessage)) return body;
  const { 'content-type': type = '', 'content-length': length, 'x-api-key': key } = body.headers;
  if (!JSON_TYPE.test(type)) throw invalidField('Content-Type', 'must be application/json');
  if (Number(length ?? 0) > limits.maxBytes) throw tooLarge();
  // The guards have accepted the key. A body cannot be longer than it says: what comes after that is another request.
  const size = length === undefined ? limits.maxBytes : Number(length);
  const bytes = await places.during(String(key), () => bytesOf(body, limits), size);
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
    const leave = () => {
      clearTimeout(timer);
      body.off('data', take).off('end', done).off('error', fail).pause();
    };
    const fail = (error: Error) => {
      leave();
      reject(error);
    };
    const done = () => {
      leave();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > maxBytes) fail(tooLarge());
    };
    const timer = setTimeout(() => fail(tooSlow(withinMs)), withinMs);
    body.on('data', take).on('end', done).on('error', fail);
  });
}

function tooLarge(): ServiceError {
  return invalidField('body', 'is too large for a JSON request');
}

function tooSlow(withinMs: number): ServiceError {
  return invalidField('body', `did not arrive within ${withinMs / 1000} s`);
}
