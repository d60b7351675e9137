import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ApiResponse, Client } from './client.js';
import { readMessages, type StreamMessage } from './sse.js';

export interface StreamedTranscription {
  response: IncomingMessage;
  /** What is streamed as it comes, without heartbeats. */
  messages(): AsyncGenerator<StreamMessage>;
}

type Headers = Record<string, string>;

/** Opens a one-shot request; the caller writes the body. Without a `Content-Length` it goes in chunks. */
export function openTranscribeRequest(client: Client, query = '', headers: Headers = {}): ClientRequest {
  const key: Headers = client.apiKey === null ? {} : { 'X-API-Key': client.apiKey };
  const address = `${client.baseUrl}/api/v1/transcribe${query}`;
  return request(address, { method: 'POST', headers: { ...key, 'Content-Type': 'audio/wav', ...headers } });
}

/** The answer to a request, whose body may still be under way. A refused sender may be cut off: that is no error. */
export function waitForResponse(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', reject);
  });
}

/** Sends a body in one piece and waits for the stream. @throws Error when it is refused. */
export async function transcribeStreamed(
  client: Client,
  body: Uint8Array,
  query = '',
  headers: Headers = {},
): Promise<StreamedTranscription> {
  const sent = openTranscribeRequest(client, query, headers);
  const coming = waitForResponse(sent);
  sent.end(body);
  const response = await coming;
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${await text(response)}`);
  return { response, messages: () => events(response) };
}

/** Everything of a stream to its end, without heartbeats. */
export async function collectMessages({ messages }: StreamedTranscription): Promise<StreamMessage[]> {
  const found: StreamMessage[] = [];
  for await (const message of messages()) found.push(message);
  return found;
}

/** A refusal in the form that the judges of problems take. */
export async function readErrorResponse(sent: ClientRequest): Promise<ApiResponse> {
  const response = await waitForResponse(sent);
  // Told what it needs to know, the client stops sending; the service may have closed the connection before.
  sent.removeAllListeners('error').on('error', () => undefined);
  const headers = new Headers(response.headers as Record<string, string>);
  const answer = { status: response.statusCode ?? 0, headers, text: await text(response) };
  sent.destroy();
  return answer;
}

async function* events(response: IncomingMessage): AsyncGenerator<StreamMessage> {
  for await (const message of readMessages(response)) if (message.event !== '') yield message;
}
