import { expectDocumentedErrorCode } from './documented-error-codes.js';
import { readMessages } from './sse.js';

export interface CreatedJob {
  job_id: string;
  /** Null, despite the type, where the service fetches the audio from a URL. */
  upload_url: string;
  download_url: string;
  content_type: string;
  expires_in: number;
}

export interface Job {
  job_id: string;
  status: string;
  download_url: string | null;
  failed_stage: string | null;
  reason: string | null;
  created_at: string;
  completed_at: string | null;
  output_type: string;
  duration_seconds: number | null;
  metadata: Record<string, string>;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
  errors?: { field: string; message: string }[];
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
}

export interface JobEvent {
  /** Empty for a comment. */
  name: string;
  id: string;
  /** The parsed data; a comment's text is under `comment`. */
  data: Record<string, unknown>;
}

export interface StreamRequest {
  lastEventId?: string;
  signal?: AbortSignal;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** A client of the HTTP interface with one API key, or none. */
export class Client {
  constructor(
    readonly baseUrl: string,
    readonly apiKey: string | null,
  ) {}

  /** `path` is below the base URL. The body is sent unchanged. */
  async send(method: string, path: string, init: RequestInit = {}): Promise<ApiResponse> {
    const headers = { ...this.keyHeader(), ...(init.headers as Record<string, string> | undefined) };
    const response = await toApiResponse(await fetch(`${this.baseUrl}${path}`, { ...init, method, headers }));
    expectDocumentedErrorCode(method, path, response);
    return response;
  }

  /** Sends any value as JSON in a POST request. */
  post(path: string, body: unknown): Promise<ApiResponse> {
    return this.send('POST', `/api/v1${path}`, { body: JSON.stringify(body), headers: JSON_TYPE });
  }

  async create(body: Record<string, unknown>): Promise<CreatedJob> {
    return expectStatus<CreatedJob>(200, await this.post('/upload', body));
  }

  /** An empty content type omits the header. */
  put(
    url: string,
    bytes: Uint8Array<ArrayBuffer>,
    contentType: string,
    signal?: AbortSignal,
  ): Promise<ApiResponse> {
    const headers: Record<string, string> = contentType === '' ? {} : { 'Content-Type': contentType };
    return fetch(url, { method: 'PUT', body: bytes, headers, signal }).then(toApiResponse);
  }

  complete(jobId: string): Promise<ApiResponse> {
    return this.post('/upload/complete', { job_id: jobId });
  }

  progress(jobId: string): Promise<ApiResponse> {
    return this.post('/upload/progress', { job_id: jobId });
  }

  async job(jobId: string): Promise<Job> {
    return expectStatus<Job>(200, await this.send('GET', `/api/v1/jobs/${jobId}`));
  }

  /** Of the newest jobs of the account, newest first. */
  async listJobIds(): Promise<string[]> {
    const response = await this.send('GET', '/api/v1/jobs?limit=100');
    return expectStatus<{ jobs: { job_id: string }[] }>(200, response).jobs.map(({ job_id }) => job_id);
  }

  /** Creates a job and uploads its bytes, without the complete call. */
  async upload(bytes: Uint8Array<ArrayBuffer>, options: Record<string, unknown> = {}): Promise<CreatedJob> {
    const created = await this.create({ file_size: bytes.length, ...options });
    expectStatus(200, await this.put(created.upload_url, bytes, created.content_type));
    return created;
  }

  /** Creates a job, uploads its bytes and sends the complete call. */
  async submit(bytes: Uint8Array<ArrayBuffer>, options: Record<string, unknown> = {}): Promise<CreatedJob> {
    const created = await this.upload(bytes, options);
    expectStatus(200, await this.complete(created.job_id));
    return created;
  }

  /** Events and heartbeats, until the service ends the stream. */
  async *stream(jobId: string, { lastEventId, signal }: StreamRequest = {}): AsyncGenerator<JobEvent> {
    const headers = {
      ...this.keyHeader(),
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    };
    const response = await fetch(`${this.baseUrl}/api/v1/jobs/${jobId}/stream`, {
      headers,
      signal: signal ?? null,
    });
    const type = response.headers.get('content-type') ?? '';
    if (response.status !== 200 || !type.startsWith('text/event-stream') || response.body === null)
      throw new Error(`no stream but ${response.status} ${type}`);
    for await (const { id, event, data } of readMessages(response.body)) {
      if (event === '') yield { name: '', id, data: { comment: data } };
      else yield { name: event, id, data: JSON.parse(data) as Record<string, unknown> };
    }
  }

  /** Every event of the job until it ends, without heartbeats; from the first event by default. */
  async events(jobId: string, request: StreamRequest = {}): Promise<JobEvent[]> {
    const events: JobEvent[] = [];
    for await (const event of this.stream(jobId, { lastEventId: '0', ...request }))
      if (event.name !== '') events.push(event);
    return events;
  }

  download(url: string): Promise<ApiResponse> {
    return fetch(url).then(toApiResponse);
  }

  private keyHeader(): Record<string, string> {
    return this.apiKey === null ? {} : { 'X-API-Key': this.apiKey };
  }
}

/** The parsed body of a response with this status. @throws Error with the body for another status. */
export function expectStatus<T>(status: number, response: ApiResponse): T {
  if (response.status !== status)
    throw new Error(`${response.status} instead of ${status}: ${response.text}`);
  return (response.text === '' ? null : JSON.parse(response.text)) as T;
}

async function toApiResponse(response: Response): Promise<ApiResponse> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}
