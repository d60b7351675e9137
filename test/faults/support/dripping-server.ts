import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const DRIP_MS = 1_000;

/** An HTTP server that answers each request with a WAV header and then one byte a second, without end. */
export class DrippingServer {
  /** Responses that have not ended. */
  open = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<DrippingServer> {
    const server = createServer((_request, response) => {
      dripping.open += 1;
      response.writeHead(200, { 'content-type': 'audio/wav' }).write('RIFF');
      const timer = setInterval(() => response.write('x'), DRIP_MS);
      response.on('close', () => {
        clearInterval(timer);
        dripping.open -= 1;
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const dripping = new DrippingServer(
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/audio.wav`,
    );
    return dripping;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
