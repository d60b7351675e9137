import { pipeline, type Readable, Transform } from 'node:stream';
import { AudioFetchError, toAudioFetchError } from './audio-fetch-error.js';

export interface BodyMaxSizeAndMinRate {
  maxBytes: number;
  /** Measured over each `rateWindowMs` of waiting for the server; a slow reader does not count. */
  minBytesPerSecond: number;
  rateWindowMs: number;
}

/**
 * Fails with `AudioFetchError` if the body exceeds the limit, is too slow or ends early.
 * @param signal the stream fails with its reason
 * @param onEnd called when the stream has ended or failed
 */
export function enforceBodyMaxSizeAndMinRate(
  source: Readable,
  limits: BodyMaxSizeAndMinRate,
  signal: AbortSignal | undefined,
  onEnd: () => void,
): Readable {
  const { maxBytes } = limits;
  let size = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) done(AudioFetchError.tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
  pipeline(readAtMinRate(source, limits, signal), bounded, onEnd);
  return bounded;
}

/** Maps errors before they reach the stream, because later readers get the error that destroyed it. */
async function* readAtMinRate(
  source: Readable,
  { minBytesPerSecond, rateWindowMs }: BodyMaxSizeAndMinRate,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  try {
    let [waitedMs, bytes] = [0, 0];
    let waitingSince = performance.now();
    for await (const chunk of source as AsyncIterable<Buffer>) {
      waitedMs += performance.now() - waitingSince;
      bytes += chunk.length;
      if (waitedMs >= rateWindowMs) {
        if (bytes * 1000 < minBytesPerSecond * waitedMs) throw AudioFetchError.tooSlow(minBytesPerSecond);
        waitedMs = bytes = 0;
      }
      yield chunk;
      waitingSince = performance.now();
    }
  } catch (error) {
    throw toAudioFetchError(error, signal) as Error;
  }
}
