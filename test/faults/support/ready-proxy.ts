import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const POLL_INTERVAL_MS = 100;
const HOST = '127.0.0.1';

/**
 * A proxy before several API processes: polls the readiness of each, and distributes requests over the ready ones.
 * It never sends a request twice.
 */
export class ReadyProxy {
  /** Requests that it could not forward or whose response was cut off, by method and path. */
  readonly broken: string[] = [];
  private readonly ready = new Set<number>();
  private readonly server = createServer((incoming, answer) => this.forward(incoming, answer));
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

  /** How many were ready at the last poll. */
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
        const answer = await fetch(`http://${HOST}:${port}/health/ready`, { signal }).catch(() => null);
        await answer?.body?.cancel();
        if (answer?.ok === true) this.ready.add(port);
        else this.ready.delete(port);
      }),
    );
  }

  private forward(incoming: IncomingMessage, answer: ServerResponse): void {
    const readyPorts = [...this.ready];
    const port = readyPorts[this.nextIndex++ % readyPorts.length];
    const { method = '', url = '', headers } = incoming;
    let clientDisconnected = false;
    const fail = () => {
      if (!clientDisconnected) this.broken.push(`${method} ${url.split('?')[0]}`);
      answer.destroy();
    };
    if (port === undefined) return fail();
    const upstreamRequest = request(
      { host: HOST, port, method, path: url, headers, agent: false },
      (upstreamResponse) => {
        answer.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
        upstreamResponse.pipe(answer);
        upstreamResponse.once('error', fail);
      },
    );
    upstreamRequest.once('error', fail);
    // The client has disconnected: that is no broken request.
    answer.once('close', () => {
      clientDisconnected = true;
      upstreamRequest.destroy();
    });
    incoming.pipe(upstreamRequest);
  }
}
