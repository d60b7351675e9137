import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A server on loopback that records requests and responds with `answer`. */
export interface Receiver {
  port: number;
  url: string;
  received: Received[];
  /** Number of accepted connections. */
  connections: number;
  /** Number of closed connections. */
  ended: number;
  /** Handles the next requests, when their body is complete. */
  answer: RequestListener;
  close(): Promise<void>;
}

export async function startReceiver(answer: RequestListener): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      receiver.received.push({ method, path, headers, body: Buffer.concat(chunks) });
      receiver.answer(request, response);
    });
  });
  const port = await listen(server);
  const receiver: Receiver = {
    port,
    url: `http://127.0.0.1:${port}`,
    received: [],
    connections: 0,
    ended: 0,
    answer,
    close: () => close(server),
  };
  server.on('connection', (socket) => {
    receiver.connections += 1;
    socket.once('close', () => (receiver.ended += 1));
  });
  return receiver;
}

export function status(code: number, headers: Record<string, string> = {}, body = ''): RequestListener {
  return (_, response) => response.writeHead(code, headers).end(body);
}

/** A timeout for responses that never come; long enough for a busy machine. */
export const SHORT_MS = 1_500;

export const hang: RequestListener = () => undefined;
export const reset: RequestListener = (request) => request.socket.resetAndDestroy();

/** Returns a loopback port without a listener. */
export async function deadPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await close(server);
  return port;
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Waits up to 30 s for a condition. */
export function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  return vi.waitFor(
    async () => {
      if (!(await condition())) throw new Error('not yet');
    },
    { timeout: 30_000, interval: 10 },
  );
}
