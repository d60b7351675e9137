import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ForwardedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** What the network does to one request. */
export type Fault =
  | 'none'
  /** The connection is reset before the service sees the request. */
  | 'lose-request'
  /** The service handles the request, and its response is lost. */
  | 'lose-response'
  /** The service gets the request twice, and the client the second response. */
  | 'repeat'
  /** The response is cut after some bytes. */
  | 'cut-response'
  /** The service never sees the request, and the client waits for its response. */
  | 'hold-request'
  /** The service handles the request, and the client waits for its response. */
  | 'hold-response'
  | { delayMs: number }
  /** The response is cut after this text. */
  | { cutAfter: string }
  /** The request reaches the service after that. */
  | { heldUntil: Promise<unknown> };

/** The public address of a service: forwards requests, with faults, and serves files of its own. */
export class PublicProxy {
  chooseFault: (request: ForwardedRequest) => Fault = () => 'none';
  /** Requests that wait for a response which will never come. */
  readonly held: ForwardedRequest[] = [];
  readonly files = new Map<string, { type: string; content: string | Uint8Array }>();
  private target = 0;
  private readonly server = createServer((request, response) => {
    this.handle(request, response).catch(() => response.destroy());
  });

  static async start(): Promise<PublicProxy> {
    const proxy = new PublicProxy();
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** @param port of the service */
  forwardTo(port: number): void {
    this.target = port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = incoming.url ?? '/';
    const file = this.files.get(path);
    if (file !== undefined)
      return void outgoing.writeHead(200, { 'content-type': file.type }).end(file.content);
    const request = {
      method: incoming.method ?? 'GET',
      path,
      headers: incoming.headers,
      body: await buffer(incoming),
    };
    const fault = this.chooseFault(request);
    if (fault === 'lose-request') return void incoming.socket.resetAndDestroy();
    if (fault === 'hold-request') return void this.held.push(request);
    if (typeof fault === 'object' && 'delayMs' in fault)
      await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    if (typeof fault === 'object' && 'heldUntil' in fault) await fault.heldUntil;
    if (fault === 'repeat') (await this.forward(request)).resume();
    const response = await this.forward(request);
    if (fault === 'lose-response') {
      response.destroy();
      return void incoming.socket.resetAndDestroy();
    }
    outgoing.once('close', () => response.destroy());
    if (fault === 'hold-response') {
      await buffer(response);
      return void this.held.push(request);
    }
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    outgoing.flushHeaders();
    if (fault === 'cut-response') {
      const { value: first } = (await response[Symbol.asyncIterator]().next()) as IteratorResult<
        Buffer,
        undefined
      >;
      // A response that is not ended would block the next one of its connection.
      if (first === undefined) return void incoming.socket.resetAndDestroy();
      outgoing.write(first.subarray(0, Math.ceil(first.length / 2)), () => incoming.socket.resetAndDestroy());
      return;
    }
    if (typeof fault === 'object' && 'cutAfter' in fault) {
      let sent = '';
      for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
        const text = sent + chunk;
        const end = text.indexOf(fault.cutAfter) + fault.cutAfter.length;
        const isFound = text.includes(fault.cutAfter);
        outgoing.write(text.slice(sent.length, isFound ? end : undefined));
        if (isFound) return void incoming.socket.end();
        sent = text;
      }
      const missing = new Error(
        `the response to ${request.method} ${path} ended without the text ${fault.cutAfter}`,
      );
      return void outgoing.destroy(missing);
    }
    response.pipe(outgoing);
  }

  private async forward({ method, path, headers, body }: ForwardedRequest): Promise<IncomingMessage> {
    const { connection: _, 'transfer-encoding': __, ...kept } = headers;
    const request = httpRequest({
      host: '127.0.0.1',
      port: this.target,
      method,
      path,
      headers: { ...kept, ...(body.length > 0 && { 'content-length': String(body.length) }) },
    });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  }
}
