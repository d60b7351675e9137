import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A server on loopback that keeps what it is sent and answers as the test says. */
export interface Receiver {
  port: number;
  url: string;
  received: Received[];
  /** Connections accepted so far. */
  connections: number;
  /** Those of them that have come to their end, with whatever was sent on them. */
  ended: number;
  /** How the next requests are answered; called when the body is complete. */
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

/** Milliseconds to wait for what never comes; long for what does come, on a machine that stands still for a moment. */
export const SHORT_MS = 1_500;

export const hang: RequestListener = () => undefined;
export const reset: RequestListener = (request) => request.socket.resetAndDestroy();

/** A port of loopback on which nobody listens. */
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

/** Waits, at most half a minute, until it holds. */
export function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  return vi.waitFor(
    async () => {
      if (!(await condition())) throw new Error('not yet');
    },
    { timeout: 30_000, interval: 10 },
  );
}
