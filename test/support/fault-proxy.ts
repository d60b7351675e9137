import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type FaultState =
  | 'open'
  /** Current and new connections are reset. */
  | 'cut'
  /** Bytes are delayed in both directions. */
  | { delayMs: number }
  /** A connection is reset after this many further bytes, counted over both directions. */
  | { resetAfterBytes: number }
  /** A connection carries nothing any more, not even its end, after this many bytes from the client. */
  | { blockAfterBytes: number }
  /** Likewise when the server begins to respond. */
  | 'unanswered';

export interface Endpoint {
  host: string;
  port: number;
}

/** A TCP proxy that distributes connections over one or several servers and skips unreachable ones. */
export interface FaultProxy {
  readonly port: number;
  setFault(state: FaultState): void;
  /** Drops all further bytes of the current connections without closing them; new ones are not affected. */
  dropTraffic(): void;
  /** Connections until now that carry nothing any more, also if they have ended since. */
  countBlocked(): number;
  close(): void;
}

/** The URL with the proxy's address instead of the server's. */
export function urlThroughProxy(proxy: Pick<FaultProxy, 'port'>, url: string): string {
  const address = new URL(url);
  address.hostname = '127.0.0.1';
  address.port = String(proxy.port);
  return address.href;
}

export function parseEndpoint(url: string): Endpoint {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

/** On a free port of loopback. */
export function startFaultProxy(...targets: Endpoint[]): Promise<FaultProxy> {
  return startFaultProxyOn({ host: '127.0.0.1', port: 0 }, ...targets);
}

export async function startFaultProxyOn(address: Endpoint, ...targets: Endpoint[]): Promise<FaultProxy> {
  let state: FaultState = 'open';
  let connectionCount = 0;
  let blockedCount = 0;
  const connections = new Set<Connection>();
  const server = createServer((client) => {
    const first = connectionCount++ % targets.length;
    const order = [...targets.slice(first), ...targets.slice(0, first)];
    const connection = new Connection(
      client,
      order,
      () => state,
      () => (blockedCount += 1),
    );
    connections.add(connection);
    client.once('close', () => connections.delete(connection));
    if (state === 'cut') connection.reset();
    else connection.open();
  }).listen(address);
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    setFault: (next) => {
      state = next;
      for (const connection of connections) connection.applyState();
    },
    dropTraffic: () => {
      for (const connection of connections) connection.block();
    },
    countBlocked: () => blockedCount,
    close: () => {
      for (const connection of connections) connection.reset();
      server.close();
    },
  };
}

class Connection {
  private upstream: Socket | undefined;
  private transferredBytes = 0;
  private clientBytes = 0;
  private hidesEndOfServer = false;
  private blocked = false;

  constructor(
    private readonly client: Socket,
    private readonly targets: readonly Endpoint[],
    private readonly state: () => FaultState,
    private readonly onBlocked: () => void,
  ) {
    client.pause().on('error', () => this.reset());
  }

  /** Connects to the first reachable target. */
  open(at = 0): void {
    const target = this.targets[at];
    if (!target || this.client.destroyed) return this.reset();
    const upstream = connect(target.port, target.host);
    const tryNextTarget = () => this.open(at + 1);
    upstream.once('error', tryNextTarget).once('connect', () => {
      upstream.off('error', tryNextTarget).on('error', () => void (this.hidesEndOfServer || this.reset()));
      if (this.client.destroyed || this.state() === 'cut') return void upstream.destroy();
      this.upstream = upstream;
      this.forwardBytes(this.client, upstream);
      this.forwardBytes(upstream, this.client);
    });
  }

  applyState(): void {
    this.transferredBytes = 0;
    if (this.state() === 'cut') this.reset();
  }

  block(): void {
    if (!this.blocked) this.onBlocked();
    this.blocked = true;
    this.client.pause();
    this.upstream?.pause();
  }

  reset(): void {
    this.client.resetAndDestroy();
    this.upstream?.resetAndDestroy();
  }

  /** Each write waits for the previous ones, so that bytes stay in order when the delay changes. */
  private forwardBytes(from: Socket, to: Socket): void {
    let previousWrites = Promise.resolve();
    const enqueue = (write: () => void) => {
      const state = this.state();
      const delayMs = typeof state === 'object' && 'delayMs' in state ? state.delayMs : 0;
      const due = new Promise<void>((resolve) => (delayMs > 0 ? setTimeout(resolve, delayMs) : resolve()));
      previousWrites = Promise.all([previousWrites, due]).then(write);
    };
    from.on('data', (bytes: Buffer) => {
      this.blockIfDue(from, bytes.length);
      if (this.blocked || this.resetIfLimitReached(bytes.length)) return;
      from.pause();
      enqueue(() => {
        const isWritable = to.write(bytes);
        const resumeReading = () => void (this.blocked || from.resume());
        if (isWritable) resumeReading();
        else to.once('drain', resumeReading);
      });
    });
    const isEndHidden = () => this.hidesEndOfServer && from !== this.client;
    from.once('end', () => enqueue(() => void (isEndHidden() || to.end())));
    from.once('close', () => enqueue(() => void (isEndHidden() || to.destroySoon())));
    from.resume();
  }

  private blockIfDue(from: Socket, bytes: number): void {
    const state = this.state();
    if (from === this.client) this.clientBytes += bytes;
    const isDue =
      from === this.client
        ? typeof state === 'object' && 'blockAfterBytes' in state && this.clientBytes > state.blockAfterBytes
        : state === 'unanswered';
    if (!isDue) return;
    this.hidesEndOfServer = true;
    this.block();
  }

  private resetIfLimitReached(bytes: number): boolean {
    const state = this.state();
    this.transferredBytes += bytes;
    if (typeof state !== 'object' || !('resetAfterBytes' in state)) return false;
    if (this.transferredBytes < state.resetAfterBytes) return false;
    this.reset();
    return true;
  }
}
