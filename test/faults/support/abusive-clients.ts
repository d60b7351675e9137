import { once, setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse, Client } from '../../e2e/support/client.js';
import { openSocket, readResponse } from '../../e2e/support/raw-http.js';

export interface ClientBehaviour {
  /** Raw bytes that the client sends first. */
  firstBytes: string;
  /** Bytes that the client then sends every second; none by default. */
  repeatedBytes?: string;
  /** True: reads the response, then disconnects. False: reads only the headers and stays until it is disconnected. */
  readsResponse: boolean;
}

const SEND_INTERVAL_MS = 1_000;
const DEFAULT_RECONNECT_SECONDS = 1;

/** Many abusive connections of one caller. A rejected or disconnected client reconnects. */
export class AbusiveClients {
  /** The responses, as far as clients have read them. */
  readonly responses: { behaviour: ClientBehaviour; response: ApiResponse }[] = [];
  /** Connections that ended without a response. */
  disconnected = 0;
  private readonly sockets = new Set<Socket>();
  private readonly stopping = new AbortController();

  constructor(private readonly client: Client) {
    setMaxListeners(Infinity, this.stopping.signal);
  }

  /** Adds a client, which reconnects until `stopReconnecting`. */
  async connect(behaviour: ClientBehaviour): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const seconds = await this.connectOnce(behaviour);
      await pause(seconds * 1_000, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** Clients no longer reconnect; open connections continue. */
  stopReconnecting(): void {
    this.stopping.abort();
  }

  closeAll(): void {
    this.stopReconnecting();
    for (const socket of this.sockets) socket.destroy();
  }

  /** @returns seconds after which to reconnect */
  private async connectOnce(behaviour: ClientBehaviour): Promise<number> {
    const socket = openSocket(this.client).on('error', () => undefined);
    this.sockets.add(socket);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const sending = setInterval(
      () => behaviour.repeatedBytes !== undefined && socket.write(behaviour.repeatedBytes),
      SEND_INTERVAL_MS,
    );
    try {
      await once(socket, 'connect');
      const pendingResponse = readResponse(socket, !behaviour.readsResponse);
      socket.write(behaviour.firstBytes);
      const response = await pendingResponse;
      this.responses.push({ behaviour, response });
      if (response.status !== 200)
        return Number(response.headers.get('retry-after') ?? DEFAULT_RECONNECT_SECONDS);
      if (behaviour.readsResponse) return DEFAULT_RECONNECT_SECONDS;
      socket.pause();
      await closed;
    } catch {
      this.disconnected += 1;
    } finally {
      clearInterval(sending);
      socket.destroy();
      this.sockets.delete(socket);
    }
    return DEFAULT_RECONNECT_SECONDS;
  }
}
