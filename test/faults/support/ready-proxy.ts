import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const LOOK_EVERY_MS = 100;
const HOST = '127.0.0.1';

/**
 * What stands before several API processes: asks each whether it is ready, and gives requests in turn to those that are.
 * It never sends a request twice.
 */
export class ReadyProxy {
  /** Requests that it could not hand on or whose answer was cut off, by method and path. */
  readonly broken: string[] = [];
  private readonly ready = new Set<number>();
  private readonly server = createServer((asked, answer) => this.pass(asked, answer));
  private readonly looking: NodeJS.Timeout;
  private turn = 0;

  private constructor(private readonly ports: readonly number[]) {
    this.looking = setInterval(() => void this.look(), LOOK_EVERY_MS);
  }

  static async start(ports: readonly number[]): Promise<ReadyProxy> {
    const proxy = new ReadyProxy(ports);
    proxy.server.listen(0, HOST);
    await once(proxy.server, 'listening');
    await proxy.look();
    return proxy;
  }

  get url(): string {
    return `http://${HOST}:${(this.server.address() as AddressInfo).port}`;
  }

  /** How many take requests, as far as it knows. */
  get readyCount(): number {
    return this.ready.size;
  }

  close(): void {
    clearInterval(this.looking);
    this.server.close();
    this.server.closeAllConnections();
  }

  private async look(): Promise<void> {
    await Promise.all(
      this.ports.map(async (port) => {
        const within = AbortSignal.timeout(5_000);
        const answer = await fetch(`http://${HOST}:${port}/health/ready`, { signal: within }).catch(
          () => null,
        );
        await answer?.body?.cancel();
        if (answer?.ok === true) this.ready.add(port);
        else this.ready.delete(port);
      }),
    );
  }

  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const takers = [...this.ready];
    const port = takers[this.turn++ % takers.length];
    const { method = '', url = '', headers } = asked;
    let gone = false;
    const fail = () => {
      if (!gone) this.broken.push(`${method} ${url.split('?')[0]}`);
      answer.destroy();
    };
    if (port === undefined) return fail();
    const onward = request({ host: HOST, port, method, path: url, headers, agent: false }, (told) => {
      answer.writeHead(told.statusCode ?? 502, told.headers);
      told.pipe(answer);
      told.once('error', fail);
    });
    onward.once('error', fail);
    // Who asked has left: that breaks nothing.
    answer.once('close', () => {
      gone = true;
      onward.destroy();
    });
    asked.pipe(onward);
  }
}
