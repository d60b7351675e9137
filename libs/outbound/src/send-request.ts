import pTimeout from 'p-timeout';
import type { Dispatcher } from 'undici';

export type OutboundResponseData = Dispatcher.ResponseData;

export interface SendRequestOptions {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: Buffer;
  /** Milliseconds between two chunks of the response body. */
  bodyTimeout?: number;
}

/** The signal aborts at any time; undici alone ignores it while a connection is being established. */
export async function sendRequest(
  dispatcher: Dispatcher,
  url: URL,
  sending: SendRequestOptions,
  signal: AbortSignal,
): Promise<OutboundResponseData> {
  const path = `${url.pathname}${url.search}`;
  const answer = dispatcher.request({ ...sending, origin: url.origin, path, signal });
  try {
    return await pTimeout(answer, { milliseconds: Infinity, signal });
  } catch (error) {
    answer.then(discardBody, () => undefined);
    throw error;
  }
}

/** Closes the connection of an unread response. */
export function discardBody({ body }: OutboundResponseData): void {
  body.on('error', () => {}).destroy();
}
