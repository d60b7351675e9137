import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ApiResponse, Client } from './client.js';
import { readMessages, type StreamMessage } from './sse.js';

export interface StreamedTranscription {
  response: IncomingMessage;
  /** The messages of the stream, without heartbeats. */
  messages(): AsyncGenerator<StreamMessage>;
}

type Headers = Record<string, string>;

/** Opens a request to `POST /transcribe`; the caller writes the body. Without a `Content-Length` it is chunked. */
export function openTranscribeRequest(client: Client, query = '', headers: Headers = {}): ClientRequest {
  const key: Headers = client.apiKey === null ? {} : { 'X-API-Key': client.apiKey };
  const url = `${client.baseUrl}/api/v1/transcribe${query}`;
  return request(url, { method: 'POST', headers: { ...key, 'Content-Type': 'audio/wav', ...headers } });
}

/** The response to a request whose body may be incomplete. Errors after the response are ignored. */
export function waitForResponse(clientRequest: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    clientRequest.once('response', resolve);
    clientRequest.on('error', reject);
  });
}

/** Sends a whole body and waits for the stream. @throws Error when the request is rejected. */
export async function transcribeStreamed(
  client: Client,
  body: Uint8Array,
  query = '',
  headers: Headers = {},
): Promise<StreamedTranscription> {
  const clientRequest = openTranscribeRequest(client, query, headers);
  const pendingResponse = waitForResponse(clientRequest);
  clientRequest.end(body);
  const response = await pendingResponse;
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${await text(response)}`);
  return { response, messages: () => readEvents(response) };
}

/** All messages of a stream until it ends, without heartbeats. */
export async function collectMessages({ messages }: StreamedTranscription): Promise<StreamMessage[]> {
  const received: StreamMessage[] = [];
  for await (const message of messages()) received.push(message);
  return received;
}

/** An error response in the form that `expectProblem` takes. */
export async function readErrorResponse(clientRequest: ClientRequest): Promise<ApiResponse> {
  const response = await waitForResponse(clientRequest);
  // With the response complete, the client stops sending; the service may have closed the connection before.
  clientRequest.removeAllListeners('error').on('error', () => undefined);
  const headers = new Headers(response.headers as Record<string, string>);
  const errorResponse = { status: response.statusCode ?? 0, headers, text: await text(response) };
  clientRequest.destroy();
  return errorResponse;
}

async function* readEvents(response: IncomingMessage): AsyncGenerator<StreamMessage> {
  for await (const message of readMessages(response)) if (message.event !== '') yield message;
}
