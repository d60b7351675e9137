import { pipeline, type Readable, Transform } from 'node:stream';
import { AudioFetchError, toAudioFetchError } from './audio-fetch-error.js';

export interface BodyLimits {
  maxBytes: number;
  /** The caller's: its own reason is what the reader sees. */
  signal: AbortSignal | undefined;
  /** Called once, when nothing more comes. */
  onEnd: () => void;
}

/** Passes bytes on until there are too many; whatever ends the source early becomes a `AudioFetchError`. */
export function limitBodySize(source: Readable, { maxBytes, signal, onEnd: ended }: BodyLimits): Readable {
  let size = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) done(AudioFetchError.tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
  // Who reads the result sees its end and its error; the source is destroyed with it.
  pipeline(mapFetchErrors(source, signal), bounded, ended);
  return bounded;
}

/** Converted before it reaches a stream: a reader that comes later sees the error with which a stream was destroyed. */
async function* mapFetchErrors(source: Readable, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source) yield chunk as Buffer;
  } catch (error) {
    throw toAudioFetchError(error, signal) as Error;
  }
}
