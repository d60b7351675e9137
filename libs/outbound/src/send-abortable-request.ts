import pTimeout from 'p-timeout';
import type { Dispatcher } from 'undici';

export interface SendRequestOptions {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: Buffer;
  /** Milliseconds between two chunks of the response body. */
  bodyTimeout?: number;
}

/** The signal aborts at any time; undici alone ignores it while a connection is being established. */
export async function sendAbortableRequest(
  dispatcher: Dispatcher,
  url: URL,
  options: SendRequestOptions,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const path = `${url.pathname}${url.search}`;
  const response = dispatcher.request({ ...options, origin: url.origin, path, signal });
  try {
    return await pTimeout(response, { milliseconds: Infinity, signal });
  } catch (error) {
    response.then(destroyResponseBody, () => undefined);
    throw error;
  }
}

/** Closes the connection of an unread response. */
export function destroyResponseBody({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => {}).destroy();
}
