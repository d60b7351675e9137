import { UnauthenticatedClient, Zephyr } from '../index.js';
import type { ZephyrOptions } from '../options.js';

export interface ReceivedRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Headers;
  body: Uint8Array;
  json: unknown;
}

type Handler = (request: ReceivedRequest) => Response | Promise<Response>;

/** Answers the requests of a client inside the process, by `METHOD /path`. */
export class FakeService {
  readonly requests: ReceivedRequest[] = [];

  constructor(private readonly routes: Record<string, Handler>) {}

  client(options: Partial<ZephyrOptions> = {}): Zephyr {
    return new Zephyr({ baseUrl: 'http://fake', apiKey: 'key', fetch: this.fetch, ...options });
  }

  unauthenticatedClient(): UnauthenticatedClient {
    return new UnauthenticatedClient({ baseUrl: 'http://fake', fetch: this.fetch, maxRetries: 0 });
  }

  /** `METHOD /path` of every request. */
  get lines(): string[] {
    return this.requests.map(({ method, path }) => `${method} ${path}`);
  }

  /** Requests to a path, in order. */
  to(line: string): ReceivedRequest[] {
    return this.requests.filter(({ method, path }) => `${method} ${path}` === line);
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const body = new Uint8Array(await request.arrayBuffer());
    const isJson = request.headers.get('content-type') === 'application/json';
    const received = {
      method: request.method,
      path: pathname + search,
      headers: request.headers,
      body,
      json: isJson ? (JSON.parse(new TextDecoder().decode(body)) as unknown) : undefined,
    };
    this.requests.push(received);
    const handler = this.routes[`${request.method} ${pathname}`];
    if (handler === undefined) return createProblemResponse(404, 'not_found');
    return handler(received);
  };
}

export function createProblemResponse(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Response {
  const body = { status, code, title: code, detail: `${code} happened`, request_id: 'request-1' };
  return Response.json(body, { status, headers });
}

/** One handler a call; the last one stays. */
export function createSequentialHandler(...handlers: Handler[]): Handler {
  let calls = 0;
  return (request) => (handlers[Math.min(calls++, handlers.length - 1)] as Handler)(request);
}

export const connectionFailureHandler: Handler = () => Promise.reject(new TypeError('fetch failed'));
