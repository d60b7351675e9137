import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** Old enough for any file system to record the next access to a file. */
const LONG_AGO = new Date('2001-01-01');

/** A file and a port (TCP and UDP) that the code under test must never read or reach. */
export class Tripwire {
  private connections = 0;

  private constructor(
    readonly path: string,
    /** The content of the file, which must not be read. */
    readonly bytes: Buffer,
    private readonly server: Server,
    private readonly socket: Socket,
    /** False if the file system does not record accesses. */
    readonly noticesReading: boolean,
  ) {
    server.on('connection', (connection) => {
      this.connections += 1;
      connection.destroy();
    });
    socket.on('message', () => (this.connections += 1));
  }

  /** @param folder of its file */
  static async create(folder: string, bytes: Buffer): Promise<Tripwire> {
    const [path, other] = [join(folder, 'canary.wav'), join(folder, 'read.wav')];
    for (const each of [path, other]) {
      await writeFile(each, bytes);
      await utimes(each, LONG_AGO, new Date());
    }
    await readFile(other);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = createSocket('udp4').bind((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'listening');
    return new Tripwire(path, bytes, server, socket, await wasRead(other));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Whether the file was read since its creation, and how often the port was reached. */
  async touched(): Promise<{ read: boolean; connections: number }> {
    return { read: await wasRead(this.path), connections: this.connections };
  }

  close(): void {
    this.server.close();
    this.socket.close();
  }
}

async function wasRead(path: string): Promise<boolean> {
  return (await stat(path)).atimeMs > LONG_AGO.getTime() + 1_000;
}
