import type { Dispatcher } from 'undici';
import { raceWithSignal } from './race-with-signal.js';

export type OutboundResponseData = Dispatcher.ResponseData;

export interface SendRequestOptions {
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
  sending: SendRequestOptions,
  signal: AbortSignal,
): Promise<OutboundResponseData> {
  const path = `${url.pathname}${url.search}`;
  const answer = dispatcher.request({ ...sending, origin: url.origin, path, signal });
  return raceWithSignal(answer, signal, discardBody);
}

/** For an answer whose body nobody wants. */
export function discardBody({ body }: OutboundResponseData): void {
  body.on('error', () => {}).destroy();
}
