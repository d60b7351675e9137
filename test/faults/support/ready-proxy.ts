import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const POLL_INTERVAL_MS = 100;
const HOST = '127.0.0.1';

/**
 * A proxy in front of several API processes that polls the readiness of each and distributes requests over the ready
 * ones. It never sends a request twice.
 */
export class ReadyProxy {
  /** Method and path of requests that could not be forwarded or whose response was incomplete. */
  readonly failedRequests: string[] = [];
  private readonly ready = new Set<number>();
  private readonly server = createServer((incoming, response) => this.forward(incoming, response));
  private readonly pollTimer: NodeJS.Timeout;
  private nextIndex = 0;

  private constructor(private readonly ports: readonly number[]) {
    this.pollTimer = setInterval(() => void this.pollReadiness(), POLL_INTERVAL_MS);
  }

  static async start(ports: readonly number[]): Promise<ReadyProxy> {
    const proxy = new ReadyProxy(ports);
    proxy.server.listen(0, HOST);
    await once(proxy.server, 'listening');
    await proxy.pollReadiness();
    return proxy;
  }

  get url(): string {
    return `http://${HOST}:${(this.server.address() as AddressInfo).port}`;
  }

  /** Number of ready processes at the last poll. */
  get readyCount(): number {
    return this.ready.size;
  }

  close(): void {
    clearInterval(this.pollTimer);
    this.server.close();
    this.server.closeAllConnections();
  }

  private async pollReadiness(): Promise<void> {
    await Promise.all(
      this.ports.map(async (port) => {
        const signal = AbortSignal.timeout(5_000);
        const response = await fetch(`http://${HOST}:${port}/health/ready`, { signal }).catch(() => null);
        await response?.body?.cancel();
        if (response?.ok === true) this.ready.add(port);
        else this.ready.delete(port);
      }),
    );
  }

  private forward(incoming: IncomingMessage, response: ServerResponse): void {
    const readyPorts = [...this.ready];
    const port = readyPorts[this.nextIndex++ % readyPorts.length];
    const { method = '', url = '', headers } = incoming;
    let clientDisconnected = false;
    const fail = () => {
      if (!clientDisconnected) this.failedRequests.push(`${method} ${url.split('?')[0]}`);
      response.destroy();
    };
    if (port === undefined) return fail();
    const upstreamRequest = request(
      { host: HOST, port, method, path: url, headers, agent: false },
      (upstreamResponse) => {
        response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
        upstreamResponse.pipe(response);
        upstreamResponse.once('error', fail);
      },
    );
    upstreamRequest.once('error', fail);
    // A request whose client disconnects has not failed.
    response.once('close', () => {
      clientDisconnected = true;
      upstreamRequest.destroy();
    });
    incoming.pipe(upstreamRequest);
  }
}
