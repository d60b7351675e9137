import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** Old enough for any file system to record the next access to a file. */
const LONG_AGO = new Date('2001-01-01');

/** A file and a port (TCP and UDP) that the code under test must never access. */
export class Tripwire {
  private connections = 0;

  private constructor(
    readonly path: string,
    /** The content of the file. */
    readonly bytes: Buffer,
    private readonly server: Server,
    private readonly socket: Socket,
    /** Whether the file system records when a file is read. */
    readonly detectsReads: boolean,
  ) {
    server.on('connection', (connection) => {
      this.connections += 1;
      connection.destroy();
    });
    socket.on('message', () => (this.connections += 1));
  }

  static async create(folder: string, bytes: Buffer): Promise<Tripwire> {
    const [path, probe] = [join(folder, 'canary.wav'), join(folder, 'probe.wav')];
    for (const file of [path, probe]) {
      await writeFile(file, bytes);
      await utimes(file, LONG_AGO, new Date());
    }
    await readFile(probe);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = createSocket('udp4').bind((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'listening');
    return new Tripwire(path, bytes, server, socket, await wasRead(probe));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Whether the file was read, and how many connections and datagrams the port received. */
  async readAccesses(): Promise<{ read: boolean; connections: number }> {
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
