import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const MESSAGE_HEADER = 5;
const AUTHENTICATION = 0x52;
const TERMINATE = 0x58;
const READY_FOR_QUERY = 0x5a;
const IDLE = 0x49;

/** The part of complete messages, and the rest. */
function splitMessages(bytes: Buffer): { messages: Buffer[]; rest: Buffer } {
  const messages: Buffer[] = [];
  let at = 0;
  while (bytes.length - at >= MESSAGE_HEADER) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (end > bytes.length) break;
    messages.push(bytes.subarray(at, end));
    at = end;
  }
  return { messages, rest: bytes.subarray(at) };
}

/** Other clients are not asked for a password. */
function isAuthenticationRequest(message: Buffer): boolean {
  return message[0] === AUTHENTICATION && message.readInt32BE(MESSAGE_HEADER) !== 0;
}

/**
 * A pooler in transaction mode with one connection to Postgres: each transaction of any client runs in the same session. It
 * answers the start of a client with what the server answered to the first one.
 */
export class TransactionPooler {
  private readonly upstream: Socket;
  private greeting: Buffer | undefined;
  private readonly received: Buffer[] = [];
  private responses: Buffer = Buffer.alloc(0);
  private owner: Socket | undefined;
  private readonly waiting: { client: Socket; bytes: Buffer }[] = [];
  private readonly server: Server;

  private constructor(port: number, host: string) {
    this.upstream = connect(port, host);
    this.upstream.on('data', (bytes) => this.onResponse(bytes)).on('error', () => undefined);
    this.server = createServer((client) => this.accept(client));
  }

  /** @returns the pooler, and the URL of the database through it */
  static async start(databaseUrl: string): Promise<{ pooler: TransactionPooler; url: string }> {
    const url = new URL(databaseUrl);
    const pooler = new TransactionPooler(Number(url.port), url.hostname);
    pooler.server.listen(0, '127.0.0.1');
    await once(pooler.server, 'listening');
    url.hostname = '127.0.0.1';
    url.port = String((pooler.server.address() as AddressInfo).port);
    return { pooler, url: url.href };
  }

  close(): void {
    this.server.close();
    this.upstream.destroy();
  }

  private accept(client: Socket): void {
    let isStarting = true;
    client.on('error', () => undefined);
    client.on('data', (bytes) => {
      if (isStarting) {
        isStarting = false;
        if (this.greeting) return void client.write(this.greeting);
      } else if (bytes[0] === TERMINATE) {
        // `Terminate` ends the client, not the session.
        return void client.destroy();
      }
      this.waiting.push({ client, bytes });
      this.sendNext();
    });
  }

  private sendNext(): void {
    for (;;) {
      const at = this.waiting.findIndex(({ client }) => this.owner === undefined || client === this.owner);
      const [next] = at < 0 ? [] : this.waiting.splice(at, 1);
      if (!next) return;
      this.owner = next.client;
      this.upstream.write(next.bytes);
    }
  }

  private onResponse(bytes: Buffer): void {
    const { messages, rest } = splitMessages(Buffer.concat([this.responses, bytes]));
    this.responses = rest;
    for (const message of messages) {
      if (this.greeting === undefined && !isAuthenticationRequest(message)) this.received.push(message);
      this.owner?.write(message);
      if (message[0] !== READY_FOR_QUERY || message[MESSAGE_HEADER] !== IDLE) continue;
      this.greeting ??= Buffer.concat(this.received);
      this.owner = undefined;
      this.sendNext();
    }
  }
}
