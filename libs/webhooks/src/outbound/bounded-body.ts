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
    destroy(error, done) {
      done(error && (toFetchFailed(error, signal) as Error));
    },
  });
  // Who reads the result sees its end and its error; the source is destroyed with it.
  pipeline(source, bounded, ended);
  return bounded;
}
