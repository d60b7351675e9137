import type { ApiResponse, Client } from '../support/client.js';
import { openTranscribeRequest, readErrorResponse } from '../support/streamed-transcription.js';
import { UNKNOWN } from './spec-context.js';

export interface Route {
  name: string;
  /** Requests per minute of section 8, and the decided limits where it states none. */
  perMinute: number;
  /** A request that passes authentication and creates no job: for a nonexistent job, or with an empty body. */
  call(client: Client): Promise<ApiResponse>;
}

const EMPTY = { body: '{}', headers: { 'Content-Type': 'application/json' } };

const get = (path: string, perMinute: number): Route => ({
  name: `GET ${path}`,
  perMinute,
  call: (client) => client.send('GET', `/api/v1${path.replace('{job_id}', UNKNOWN)}`),
});
const post = (path: string, perMinute: number): Route => ({
  name: `POST ${path}`,
  perMinute,
  call: (client) => client.send('POST', `/api/v1${path}`, EMPTY),
});

/** Every endpoint of section 4. */
export const ROUTES: Route[] = [
  post('/upload', 120),
  post('/upload/progress', 600),
  post('/upload/complete', 120),
  post('/upload/multipart/create', 120),
  post('/upload/multipart/complete', 120),
  post('/upload/multipart/abort', 120),
  get('/jobs', 120),
  get('/jobs/{job_id}', 120),
  get('/jobs/{job_id}/stream', 120),
  post('/jobs/cancel', 30),
  post('/jobs/check-failed', 60),
  {
    name: 'POST /transcribe',
    perMinute: 120,
    call: (client) => sendHeadersOnly(client, 1_000, '?nltk=wrong'),
  },
];

/** Sends the headers of a `POST /transcribe` request with a body of this length, but no body. */
export function sendHeadersOnly(client: Client, bytes: number, query = ''): Promise<ApiResponse> {
  const request = openTranscribeRequest(client, query, { 'Content-Length': String(bytes) });
  const pendingResponse = readErrorResponse(request);
  request.flushHeaders();
  return pendingResponse;
}
