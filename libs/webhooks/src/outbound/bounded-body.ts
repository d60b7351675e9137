import { pipeline, type Readable, Transform } from 'node:stream';
import { FetchFailed, toFetchFailed } from './fetch-failed.js';

export interface BodyBounds {
  maxBytes: number;
  /** The caller's: its own reason is what the reader sees. */
  signal: AbortSignal | undefined;
  /** Called once, when nothing more comes. */
  ended: () => void;
}

/** Passes bytes on until there are too many; whatever ends the source early becomes a `FetchFailed`. */
export function boundedBody(source: Readable, { maxBytes, signal, ended }: BodyBounds): Readable {
  let size = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) done(FetchFailed.tooLarge(maxBytes));
      else done(null, chunk);
    },
  });
  // Who reads the result sees its end and its error; the source is destroyed with it.
  pipeline(withFetchErrors(source, signal), bounded, ended);
  return bounded;
}

/** Converted before it reaches a stream: a reader that comes later sees the error with which a stream was destroyed. */
async function* withFetchErrors(source: Readable, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source) yield chunk as Buffer;
  } catch (error) {
    throw toFetchFailed(error, signal) as Error;
  }
}
