import { pipeline, type Readable, Transform } from 'node:stream';
import { AudioFetchError, toAudioFetchError } from './audio-fetch-error.js';

/**
 * Fails with `AudioFetchError` if the body exceeds the limit or ends early.
 * @param signal the stream fails with its reason
 * @param onEnd called when the stream has ended or failed
 */
export function limitBodySize(
  source: Readable,
  maxBytes: number,
  signal: AbortSignal | undefined,
  onEnd: () => void,
): Readable {
  let size = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) done(AudioFetchError.tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
  pipeline(mapFetchErrors(source, signal), bounded, onEnd);
  return bounded;
}

/** Maps errors before they reach the stream, because later readers get the error that destroyed it. */
async function* mapFetchErrors(source: Readable, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source) yield chunk as Buffer;
  } catch (error) {
    throw toAudioFetchError(error, signal) as Error;
  }
}
