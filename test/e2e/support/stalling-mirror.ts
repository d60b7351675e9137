import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that sends the beginning of a file and then stalls. Further requests get 404. */
export class StallingMirror {
  /** The `Range` of each request. */
  readonly ranges: (string | undefined)[] = [];

  private constructor(private readonly server: Server) {}

  /** @param sizes the size of the file in bytes, and how many of them are sent */
  static async start({
    totalBytes,
    sentBytes,
  }: {
    totalBytes: number;
    sentBytes: number;
  }): Promise<StallingMirror> {
    const server = createServer((request, response) => {
      if (mirror.ranges.push(request.headers.range) > 1) response.writeHead(404).end();
      else response.writeHead(200, { 'content-length': totalBytes }).write(Buffer.alloc(sentBytes));
    });
    const mirror = new StallingMirror(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return mirror;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
