import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What happens to the bytes that pass the proxy. */
export type FaultState =
  | 'open'
  /** Current and new connections are reset. */
  | 'cut'
  /** Everything arrives this much later, in both directions. */
  | { delayMs: number }
  /** A connection is reset after this many bytes from now on, both directions together. */
  | { resetAfterBytes: number };

export interface Endpoint {
  host: string;
  port: number;
}

/** A TCP proxy to a server, or to several, over which it distributes connections; it skips unreachable ones. */
export interface FaultProxy {
  readonly port: number;
  setFault(state: FaultState): void;
  /** Silently stops traffic on the current connections; new ones are not affected. */
  dropTraffic(): void;
  close(): void;
}

/** The URL with the proxy's address instead of the server's. */
export function urlThroughProxy(way: Pick<FaultProxy, 'port'>, url: string): string {
  const address = new URL(url);
  address.hostname = '127.0.0.1';
  address.port = String(way.port);
  return address.href;
}

export function parseEndpoint(url: string): Endpoint {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

export async function startFaultProxy(...targets: Endpoint[]): Promise<FaultProxy> {
  let state: FaultState = 'open';
  let turn = 0;
  const connections = new Set<Connection>();
  const server = createServer((near) => {
    const from = turn++;
    const order = targets
      .map((_, at) => targets[(from + at) % targets.length])
      .filter((each) => each !== undefined);
    const connection = new Connection(near, order, () => state);
    connections.add(connection);
    near.once('close', () => connections.delete(connection));
    if (state === 'cut') connection.reset();
    else connection.open();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    setFault: (next) => {
      state = next;
      for (const connection of connections) connection.stateChanged();
    },
    dropTraffic: () => {
      for (const connection of connections) connection.block();
    },
    close: () => {
      for (const connection of connections) connection.reset();
      server.close();
    },
  };
}

class Connection {
  private far: Socket | undefined;
  private carried = 0;
  private blocked = false;

  constructor(
    private readonly near: Socket,
    private readonly targets: readonly Endpoint[],
    private readonly state: () => FaultState,
  ) {
    near.pause().on('error', () => this.reset());
  }

  /** Connects to the first reachable target. */
  open(at = 0): void {
    const target = this.targets[at];
    if (!target || this.near.destroyed) return this.reset();
    const far = connect(target.port, target.host);
    const next = () => this.open(at + 1);
    far.once('error', next).once('connect', () => {
      far.off('error', next).on('error', () => this.reset());
      if (this.near.destroyed || this.state() === 'cut') return void far.destroy();
      this.far = far;
      this.carry(this.near, far);
      this.carry(far, this.near);
    });
  }

  stateChanged(): void {
    this.carried = 0;
    if (this.state() === 'cut') this.reset();
  }

  block(): void {
    this.blocked = true;
    this.near.pause();
    this.far?.pause();
  }

  reset(): void {
    this.near.resetAndDestroy();
    this.far?.resetAndDestroy();
  }

  /** Bytes stay in order, also when the delay changes: each chunk waits for the previous ones. */
  private carry(from: Socket, to: Socket): void {
    let before = Promise.resolve();
    const inTurn = (write: () => void) => {
      const state = this.state();
      const delayMs = typeof state === 'object' && 'delayMs' in state ? state.delayMs : 0;
      const due = new Promise<void>((resolve) => (delayMs > 0 ? setTimeout(resolve, delayMs) : resolve()));
      before = Promise.all([before, due]).then(write);
    };
    from.on('data', (bytes: Buffer) => {
      if (this.blocked || this.isSpent(bytes.length)) return;
      from.pause();
      inTurn(() => {
        const room = to.write(bytes);
        const goOn = () => void (this.blocked || from.resume());
        if (room) goOn();
        else to.once('drain', goOn);
      });
    });
    from.once('end', () => inTurn(() => void to.end()));
    from.once('close', () => inTurn(() => to.destroySoon()));
    from.resume();
  }

  private isSpent(bytes: number): boolean {
    const state = this.state();
    this.carried += bytes;
    if (typeof state !== 'object' || !('resetAfterBytes' in state)) return false;
    if (this.carried < state.resetAfterBytes) return false;
    this.reset();
    return true;
  }
}
