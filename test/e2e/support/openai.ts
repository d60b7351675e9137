import { type ClientRequest, request } from 'node:http';
import OpenAI, { toFile } from 'openai';
import { expect } from 'vitest';
import type { Bytes } from './audio.js';
import type { ApiResponse } from './client.js';
import { readErrorResponse } from './streamed-transcription.js';
import type { RunningService } from './running-service.js';
import type { Service } from './service.js';

const LEAKS = /node_modules|\bat .+:\d+:\d+|SELECT |\.js\b|postgres|ECONN/i;

export const BOUNDARY = 'edge-of-a-part';
export const CLOSING_BOUNDARY = `--${BOUNDARY}--\r\n`;

/** The official client with its default retries. */
export async function createOpenAiClient(service: RunningService, apiKey?: string): Promise<OpenAI> {
  return new OpenAI({ baseURL: `${service.baseUrl}/v1`, apiKey: apiKey ?? (await service.apiKey()) });
}

export function toWavFile(bytes: Bytes): Promise<File> {
  return toFile(bytes, 'speech.wav');
}

/** The error of a call. @throws Error when it succeeds, or fails with an error that the client has no type for */
export async function catchApiError(
  call: PromiseLike<unknown>,
): Promise<InstanceType<typeof OpenAI.APIError>> {
  try {
    await call;
  } catch (error) {
    if (error instanceof OpenAI.APIError) return error;
    throw error;
  }
  throw new Error('the call succeeded');
}

/** A field of a raw form. */
export function formField(name: string, value: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

/** The header of the file in a raw form; its bytes and a line end must follow. */
export function fileFieldHeader(name = 'file'): string {
  const disposition = `Content-Disposition: form-data; name="${name}"; filename="a.wav"`;
  return `--${BOUNDARY}\r\n${disposition}\r\nContent-Type: audio/wav\r\n\r\n`;
}

/** Opens a transcription request; the caller writes the form. Without a `Content-Length` the body is chunked. */
export function startForm(
  service: Service,
  apiKey: string,
  headers: Record<string, string> = {},
): ClientRequest {
  return request(`${service.baseUrl}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...headers,
    },
  });
}

/** Sends a raw form in these pieces, one write each. */
export async function sendForm(
  service: Service,
  apiKey: string,
  chunks: Iterable<string | Uint8Array>,
): Promise<ApiResponse> {
  const clientRequest = startForm(service, apiKey);
  const pendingResponse = readErrorResponse(clientRequest);
  for (const chunk of chunks) clientRequest.write(chunk);
  clientRequest.end();
  return pendingResponse;
}

/** Checks the form of an error: the fields that OpenAI's clients read, and no internal details. */
export function expectOpenAiError(
  response: ApiResponse,
  status: number,
  code: string,
  param: string | null = null,
): void {
  expect(response.status, response.text).toBe(status);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/);
  expect(response.text).not.toMatch(LEAKS);
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  expect(JSON.parse(response.text)).toEqual({
    error: { message: expect.stringMatching(/\w/), type, param, code },
  });
}
