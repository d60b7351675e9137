import { createInvalidFieldError, ServiceError } from '@app/errors';
import { Readable } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import { type BodyLimits, BodyTooLargeError, limitBody } from '../request-body/limit-body.js';

export const DOCUMENTED_AUDIO_TYPES = [
  'audio/mpeg',
  'audio/wav',
  'audio/mp4',
  'audio/ogg',
  'audio/flac',
  'video/mp4',
  'application/octet-stream',
] as const;

const DEFAULT_TYPE = 'application/octet-stream';
/** Any audio or video subtype, and the registered container types. */
const MEDIA_TYPE = /^(?:(?:audio|video)\/[a-z0-9][a-z0-9.+-]{0,99}|application\/(?:ogg|mp4))$/;
const RAW_BYTES_MESSAGE = 'this route takes the bytes of the file themselves';

/** Types that clients send by default, with advice. */
const COMMON_MISTAKES: ReadonlyMap<string, string> = new Map([
  [
    'multipart/form-data',
    `must not be a form: ${RAW_BYTES_MESSAGE}. Send the raw bytes: curl -X POST -T FILE`,
  ],
  [
    'application/x-www-form-urlencoded',
    `is what curl --data-binary says by itself: ${RAW_BYTES_MESSAGE}. Add -H 'Content-Type: application/octet-stream', or use curl -X POST -T FILE`,
  ],
]);

/**
 * Parses the declared media type without its parameters. A missing type means plain bytes, as `curl -T` sends; the real
 * format is detected by decoding.
 * @throws ServiceError `validation_failed` naming `Content-Type`
 */
export function parseAudioContentType({
  'content-type': declared = DEFAULT_TYPE,
}: IncomingHttpHeaders): string {
  const type = (declared.split(';')[0] ?? '').trim().toLowerCase();
  if (type === DEFAULT_TYPE || MEDIA_TYPE.test(type)) return type;
  throw createInvalidFieldError(
    'Content-Type',
    COMMON_MISTAKES.get(type) ??
      `must be audio/…, video/… or ${DEFAULT_TYPE}, such as ${DOCUMENTED_AUDIO_TYPES.join(', ')}`,
  );
}

/** Validates the declared length before the body is read. @throws ServiceError */
export function assertContentLengthInRange(headers: IncomingHttpHeaders, maxBytes: number): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (encoding === undefined && Number(length ?? 0) === 0) throw emptyBodyError();
  if (Number(length ?? 0) > maxBytes) throw createAudioTooLargeError(maxBytes);
}

/**
 * Yields the bytes of a body without buffering.
 * @throws ServiceError `file_too_large` as soon as it grows past the limit, `validation_failed` when it ends empty;
 * BodyStalledError, or the body's own error, when the client disconnects
 */
export async function* readAudioBody(body: unknown, limits: BodyLimits): AsyncGenerator<Uint8Array> {
  let empty = true;
  try {
    for await (const chunk of limitBody(body instanceof Readable ? body : Readable.from([]), limits)) {
      empty &&= chunk.byteLength === 0;
      yield chunk;
    }
  } catch (error) {
    throw error instanceof BodyTooLargeError ? createAudioTooLargeError(error.maxBytes) : error;
  }
  if (empty) throw emptyBodyError();
}

export function createAudioTooLargeError(maxBytes: number): ServiceError {
  return new ServiceError('file_too_large', { detail: `This route takes ${maxBytes} bytes of audio.` });
}

function emptyBodyError(): ServiceError {
  return createInvalidFieldError('body', 'is empty: it must be the bytes of the audio');
}
