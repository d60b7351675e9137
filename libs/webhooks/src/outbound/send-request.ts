import type { Dispatcher } from 'undici';
import { bounded } from './bounded.js';

export type Answer = Dispatcher.ResponseData;

export interface Sending {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: Buffer;
  /** Milliseconds without a byte of the answer's body. */
  bodyTimeout?: number;
}

/**
 * One request; resolves with the headers. The signal ends it at any time: the dispatcher itself does not
 * listen to it as long as the connection is still being made.
 */
export async function sendRequest(
  dispatcher: Dispatcher,
  url: URL,
  sending: Sending,
  signal: AbortSignal,
): Promise<Answer> {
  const path = `${url.pathname}${url.search}`;
  const answer = dispatcher.request({ ...sending, origin: url.origin, path, signal });
  return bounded(answer, signal, discard);
}

/** For an answer whose body nobody wants. */
export function discard({ body }: Answer): void {
  body.on('error', () => {}).destroy();
}
