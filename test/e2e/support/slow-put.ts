import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Bytes } from './audio.js';
import type { ApiResponse } from './client.js';

export interface SlowPut {
  /** Resolves when the bytes are written to the connection. */
  send(bytes: Bytes): Promise<void>;
  /** Closes the connection without ending the request. */
  disconnect(): void;
  /** The response; rejects if the connection is closed before it. */
  pendingResponse: Promise<ApiResponse>;
}

/** A PUT of this many bytes, whose body is sent piece by piece. */
export function startSlowPut(url: string, contentType: string, length: number): SlowPut {
  const headers = { 'Content-Type': contentType, 'Content-Length': length };
  const clientRequest = request(url, { method: 'PUT', headers, agent: false });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    clientRequest.on('error', reject);
    clientRequest.once('response', resolve);
  });
  const pendingResponse = response.then(readResponse);
  pendingResponse.catch(() => undefined);
  return {
    send: (bytes) =>
      new Promise((resolve, reject) =>
        clientRequest.write(bytes, (error) => (error ? reject(error) : resolve())),
      ),
    disconnect: () => clientRequest.destroy(),
    pendingResponse,
  };
}

async function readResponse(response: IncomingMessage): Promise<ApiResponse> {
  const headers = new Headers(response.headers as Record<string, string>);
  return { status: response.statusCode ?? 0, headers, text: await text(response) };
}
