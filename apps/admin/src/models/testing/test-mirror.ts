import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

type ResponseHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of files that knows parts, and misbehaves as often as it is told to. */
export class TestMirror {
  readonly requests: { path: string; range: string | null; status: number }[] = [];
  readonly files = new Map<string, Buffer>();
  supportsRanges = true;
  private readonly queuedResponses: ResponseHandler[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TestMirror> {
    const server = createServer();
    const mirror = new TestMirror(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      response.once('close', () =>
        mirror.requests.push({
          path: request.url ?? '',
          range: request.headers.range ?? null,
          status: response.statusCode,
        }),
      );
      (mirror.queuedResponses.shift() ?? ((...both) => mirror.serve(...both)))(request, response);
    });
    server.on('connection', (socket) => mirror.sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return mirror;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  queueResponses(...misbehaviours: ResponseHandler[]): void {
    this.queuedResponses.push(...misbehaviours);
  }

  /** Sends this many bytes of the response, and cuts the connection when they have arrived. */
  disconnectAfter(bytes: number, whenReceived: () => Promise<unknown>): ResponseHandler {
    return (request, response) => {
      const { body, headers, status } = this.buildResponse(request);
      response.writeHead(status, { ...headers, 'content-length': body.length });
      response.write(body.subarray(0, bytes));
      void whenReceived().finally(() => response.destroy());
    };
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const { body, headers, status } = this.buildResponse(request);
    response.writeHead(status, headers).end(body);
  }

  private buildResponse(request: IncomingMessage): {
    status: number;
    body: Buffer;
    headers: Record<string, string>;
  } {
    const file = this.files.get(request.url ?? '');
    if (!file) return { status: 404, body: Buffer.from('not here'), headers: {} };
    const etag = `"${file.toString('base64url').slice(0, 20)}"`;
    const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    const changed = request.headers['if-range'] !== undefined && request.headers['if-range'] !== etag;
    if (from === undefined || changed || !this.supportsRanges)
      return { status: 200, body: file, headers: this.supportsRanges ? { etag } : {} };
    const range = `bytes ${from}-${file.length - 1}/${file.length}`;
    return { status: 206, body: file.subarray(Number(from)), headers: { etag, 'content-range': range } };
  }
}
