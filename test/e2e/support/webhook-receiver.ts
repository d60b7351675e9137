import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Bytes } from './audio.js';

export interface ReceivedRequest {
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Timestamps in milliseconds: when the request was complete, and when its connection closed. */
  receivedAt: number;
  endedAt: Promise<number>;
}

/** The reply to one request: a status, with a body or without, no reply at all, or a connection reset. */
export type Reply = number | { status: number; body: string } | 'hang' | 'reset';

/** A server on loopback that records requests, sends the configured replies, and serves files. */
export class WebhookReceiver {
  readonly received: ReceivedRequest[] = [];
  private readonly files = new Map<string, Bytes>();
  private readonly replies = new Map<string, Reply[]>();
  private readonly server = createServer((request, response) => void this.handle(request, response));

  static async start(host = '127.0.0.1'): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, host, resolve));
    return receiver;
  }

  get url(): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `http://${address}:${port}`;
  }

  /** @returns the URL of the file. */
  serve(path: string, bytes: Bytes): string {
    this.files.set(path, bytes);
    return this.url + path;
  }

  /** One reply for each request, the last one for all that follow; 200 by default. @returns the URL. */
  reply(path: string, ...replies: Reply[]): string {
    this.replies.set(path, replies);
    return this.url + path;
  }

  requestsTo(path: string): ReceivedRequest[] {
    return this.received.filter((each) => each.path === path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers, socket } = request;
    const file = this.files.get(path);
    if (file !== undefined) {
      response.end(file);
      return;
    }
    // A sender that is killed while it sends has sent no request.
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    const endedAt = new Promise<number>((resolve) => socket.once('close', () => resolve(Date.now())));
    const before = this.requestsTo(path).length;
    this.received.push({ path, method, headers, body, receivedAt: Date.now(), endedAt });
    const replies = this.replies.get(path) ?? [200];
    const reply = replies[Math.min(before, replies.length - 1)] ?? 200;
    if (reply === 'reset') socket.resetAndDestroy();
    else if (typeof reply === 'object') response.writeHead(reply.status).end(reply.body);
    else if (reply !== 'hang') response.writeHead(reply, { Location: `${this.url}/moved-to` }).end();
  }
}
