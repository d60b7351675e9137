import { connect, type Socket } from 'node:net';
import type { ApiResponse, Client } from './client.js';

const SILENCE_MS = 20_000;

/** A request that is sent unchanged: nothing is validated, encoded or added. */
export interface RawRequest {
  method?: string;
  /** The request target, sent unchanged. */
  path: string;
  /** In order; a name may repeat. Without a `Content-Length` or `Transfer-Encoding` the length of the body is added. */
  headers?: readonly (readonly [name: string, value: string])[];
  body?: string | Uint8Array;
}

/** Sends a request with the key of the caller, on a separate connection that is closed after the response. */
export function sendRaw(caller: Client, request: RawRequest): Promise<ApiResponse> {
  const key = caller.apiKey === null ? [] : [['X-API-Key', caller.apiKey] as const];
  return sendRawWithoutKey(caller, { ...request, headers: [...key, ...(request.headers ?? [])] });
}

export async function sendRawWithoutKey(caller: Client, request: RawRequest): Promise<ApiResponse> {
  const socket = openSocket(caller);
  try {
    const { method = 'GET', path, headers = [], body = '' } = request;
    const pendingResponse = readResponse(socket, method === 'HEAD');
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
    const hasBodyHeader = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
    const length = bytes.length > 0 && !hasBodyHeader ? [`Content-Length: ${bytes.length}`] : [];
    const { host } = new URL(caller.baseUrl);
    const lines = [
      `${method} ${path} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: close',
      ...length,
      ...headers.map(([name, value]) => `${name}: ${value}`),
    ];
    socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]));
    return await pendingResponse;
  } finally {
    socket.destroy();
  }
}

/** A connection that the test writes to. */
export function openSocket(caller: Client): Socket {
  const { hostname, port } = new URL(caller.baseUrl);
  return connect({ host: hostname, port: Number(port) });
}

/** The first final response. Rejects if the connection is closed before it or sends nothing for `silenceMs`. */
export function readResponse(socket: Socket, headOnly = false, silenceMs = SILENCE_MS): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const parseReceived = (ended: boolean) => {
      const response = parse(bytes, ended || headOnly);
      if (response !== undefined) resolve(response);
      else if (ended) reject(new Error(`cut off after: ${bytes.toString('latin1').slice(0, 300)}`));
    };
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      parseReceived(false);
    });
    socket.once('error', (error) => (bytes.length > 0 ? parseReceived(true) : reject(error)));
    socket.once('close', () => parseReceived(true));
    socket.setTimeout(silenceMs, () => reject(new Error(`no response within ${silenceMs} ms`)));
  });
}

function parse(bytes: Buffer, ended: boolean): ApiResponse | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(first.split(' ')[1]);
  const body = bytes.subarray(end + 4);
  if (status === 100) return parse(body, ended);
  const headers = new Headers(
    lines.map(
      (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const,
    ) as [string, string][],
  );
  const length = headers.get('content-length');
  if (length === null ? !ended : body.length < Number(length) && !ended) return undefined;
  return { status, headers, text: body.toString('utf8') };
}
