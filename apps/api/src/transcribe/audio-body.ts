import { invalidField, ServiceError } from '@app/errors';
import { Readable } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import { type BodyLimits, BodyTooLargeError, limitBody } from '../request-body/limit-body.js';

export const AUDIO_TYPES = [
  'audio/mpeg',
  'audio/wav',
  'audio/mp4',
  'audio/ogg',
  'audio/flac',
  'video/mp4',
  'application/octet-stream',
] as const;

const UNSAID_TYPE = 'application/octet-stream';
/** Any subtype of audio and video, and the registered types of containers that hold either. */
const MEDIA_TYPE = /^(?:(?:audio|video)\/[a-z0-9][a-z0-9.+-]{0,99}|application\/(?:ogg|mp4))$/;
const RAW_BYTES = 'this route takes the bytes of the file themselves';

/** What clients send by themselves, and what to do instead. */
const KNOWN_MISTAKES: Record<string, string> = {
  'multipart/form-data': `must not be a form: ${RAW_BYTES}. Send the raw bytes: curl -X POST -T FILE`,
  'application/x-www-form-urlencoded': `is what curl --data-binary says by itself: ${RAW_BYTES}. Add -H 'Content-Type: application/octet-stream', or use curl -X POST -T FILE`,
};

/**
 * The declared type, without its parameters: any of audio or video. Nothing declared means plain bytes, as `curl -T` sends
 * them; what the bytes really are is judged by decoding them.
 * @throws ServiceError `validation_failed` naming `Content-Type`
 */
export function parseAudioType({ 'content-type': declared = UNSAID_TYPE }: IncomingHttpHeaders): string {
  const type = (declared.split(';')[0] ?? '').trim().toLowerCase();
  if (type === UNSAID_TYPE || MEDIA_TYPE.test(type)) return type;
  throw invalidField(
    'Content-Type',
    KNOWN_MISTAKES[type] ?? `must be audio/…, video/… or ${UNSAID_TYPE}, such as ${AUDIO_TYPES.join(', ')}`,
  );
}

/** Nothing is unpacked here, and what is compressed is no audio: better said at once than by a job that fails. */
export function assertIdentityEncoding({
  'content-encoding': encoding = 'identity',
}: IncomingHttpHeaders): void {
  if (encoding.trim().toLowerCase() !== 'identity')
    throw invalidField('Content-Encoding', 'must be identity, or left out');
}

/** Judges what a request declares of its length, before any of it is taken. @throws ServiceError */
export function assertDeclaredLength(headers: IncomingHttpHeaders, maxBytes: number): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (encoding === undefined && Number(length ?? 0) === 0) throw emptyBody();
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/**
 * The bytes of a body as they come, none kept.
 * @throws ServiceError `file_too_large` as soon as it grows past the limit, `validation_failed` when it ends empty;
 * BodyStalledError, or the body's own error, when its sender is gone
 */
export async function* readAudioBody(body: unknown, limits: BodyLimits): AsyncGenerator<Uint8Array> {
  let empty = true;
  try {
    for await (const chunk of limitBody(body instanceof Readable ? body : Readable.from([]), limits)) {
      empty &&= chunk.byteLength === 0;
      yield chunk;
    }
  } catch (error) {
    throw error instanceof BodyTooLargeError ? tooLarge(error.maxBytes) : error;
  }
  if (empty) throw emptyBody();
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('file_too_large', { detail: `This route takes ${maxBytes} bytes of audio.` });
}

function emptyBody(): ServiceError {
  return invalidField('body', 'is empty: it must be the bytes of the audio');
}
