import { once, setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse, Client } from '../../e2e/support/client.js';
import { openSocket, readResponse } from '../../e2e/support/raw-http.js';

/** How one of a crowd spends its time. */
export interface ClientBehaviour {
  /** What it says first, as it goes over the wire. */
  firstBytes: string;
  /** What it says every second from then on; nothing when left out. */
  repeatedBytes?: string;
  /** Reads the answer, and goes when it has it; else it stays for as long as it is let, and reads no more. */
  reads: boolean;
}

const EVERY_MS = 1_000;
const USUAL_WAIT_SECONDS = 1;

/** Many connections of one caller at once, of whom none means well. Whoever is turned away or cut comes again. */
export class AbusiveClients {
  /** What was answered to whom, as far as it was read. */
  readonly answers: { way: ClientBehaviour; answer: ApiResponse }[] = [];
  /** Connections that ended without an answer. */
  disconnected = 0;
  private readonly sockets = new Set<Socket>();
  private readonly going = new AbortController();

  constructor(private readonly client: Client) {
    setMaxListeners(Infinity, this.going.signal);
  }

  /** One more. Comes again until nobody does. */
  async connect(way: ClientBehaviour): Promise<void> {
    while (!this.going.signal.aborted) {
      const seconds = await this.connectOnce(way);
      await pause(seconds * 1_000, undefined, { signal: this.going.signal }).catch(() => undefined);
    }
  }

  /** From now on nobody comes again; who is there goes on. */
  stopReconnecting(): void {
    this.going.abort();
  }

  closeAll(): void {
    this.stopReconnecting();
    for (const socket of this.sockets) socket.destroy();
  }

  /** @returns seconds after which to come again */
  private async connectOnce(way: ClientBehaviour): Promise<number> {
    const socket = openSocket(this.client).on('error', () => undefined);
    this.sockets.add(socket);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const sending = setInterval(
      () => way.repeatedBytes !== undefined && socket.write(way.repeatedBytes),
      EVERY_MS,
    );
    try {
      await once(socket, 'connect');
      const heard = readResponse(socket, !way.reads);
      socket.write(way.firstBytes);
      const answer = await heard;
      this.answers.push({ way, answer });
      if (answer.status !== 200) return Number(answer.headers.get('retry-after') ?? USUAL_WAIT_SECONDS);
      if (way.reads) return USUAL_WAIT_SECONDS;
      socket.pause();
      await closed;
    } catch {
      this.disconnected += 1;
    } finally {
      clearInterval(sending);
      socket.destroy();
      this.sockets.delete(socket);
    }
    return USUAL_WAIT_SECONDS;
  }
}
