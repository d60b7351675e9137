import { randomUUID } from 'node:crypto';
import {
  type IncomingMessage,
  maxHeaderSize,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, PROBLEM_CONTENT_TYPE, ServiceError, toProblem } from '@app/errors';
import { DEFAULT_RESPONSE_HEADERS } from '../default-response-headers.js';

const ERROR_CODES_BY_NODE_CODE: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

const ERROR_DETAILS: Partial<Record<ErrorCode, string>> = {
  headers_too_large: `The request line and headers may have ${maxHeaderSize} bytes together. A long custom_vocabulary fits into the body of POST /api/v1/upload.`,
};

/**
 * Answers malformed HTTP, which reaches no route and no filter, directly on the socket and closes it. If a response has
 * already started, the socket is destroyed.
 */
export function answerMalformedHttp(error: Error & { code?: string }, socket: Socket): void {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent === true)
    return void socket.destroy();
  const id = randomUUID();
  const code = ERROR_CODES_BY_NODE_CODE[error.code ?? ''] ?? 'malformed_request';
  const problem = toProblem(new ServiceError(code, { detail: ERROR_DETAILS[code] }), id);
  const body = JSON.stringify(problem);
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `content-type: ${PROBLEM_CONTENT_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    ...Object.entries(DEFAULT_RESPONSE_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroySoon());
}

/** Ignores `Expect` headers other than `100-continue` instead of answering 417. */
export function ignoreUnknownExpectHeaders(server: Server): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
}
