import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SUPERVISOR_SCRIPT = fileURLToPath(new URL('./supervisor/supervisor.mjs', import.meta.url));

export type SupervisorStatus =
  | { state: 'starting' }
  | { state: 'ready'; url: string }
  | { state: 'restarting'; message: string }
  | { state: 'failed'; message: string };

/** The supervisor keeps the server running while a connection is open. */
export interface SupervisorConnection {
  /** Also receives the messages that arrived before. */
  onStatus(listener: (message: SupervisorStatus) => void): void;
  /** Called once, immediately if the connection is already closed. */
  onClose(listener: () => void): void;
  /** Lets the process end while the connection is open. */
  unref(): void;
  close(): Promise<void>;
}

/** @returns undefined if no supervisor of `home` is running */
export async function connectToSupervisor(home: string): Promise<SupervisorConnection | undefined> {
  try {
    const { port, token } = parseControlFile(await readFile(join(home, 'keeper.json'), 'utf8'));
    const socket = connect({ port, host: '127.0.0.1' });
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('connect', resolve);
    });
    socket.write(`${token}\n`);
    return new SocketConnection(socket);
  } catch {
    return undefined;
  }
}

/** Starts it in its own session, so that it can outlive this process for other programs. */
export async function startSupervisor(home: string, durable: boolean): Promise<ChildProcess> {
  const log = await open(join(home, 'postgres.log'), 'a', 0o600);
  try {
    const child = spawn(process.execPath, [SUPERVISOR_SCRIPT, home, ...(durable ? [] : ['--volatile'])], {
      detached: true,
      cwd: '/',
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
      stdio: ['ignore', log.fd, log.fd],
    });
    child.unref();
    // The caller sees a failed start by the exit code.
    child.on('error', () => undefined);
    return child;
  } finally {
    await log.close();
  }
}

class SocketConnection implements SupervisorConnection {
  private readonly buffered: SupervisorStatus[] = [];
  private listener: ((message: SupervisorStatus) => void) | undefined;

  constructor(private readonly socket: Socket) {
    socket.on('error', () => socket.destroy());
    const lines = createInterface({ input: socket });
    // readline repeats the errors of its input; unhandled, a killed supervisor would end this process too.
    lines.on('error', () => undefined);
    lines.on('line', (line) => {
      const message = JSON.parse(line) as SupervisorStatus;
      if (this.listener) this.listener(message);
      else this.buffered.push(message);
    });
  }

  onStatus(listener: (message: SupervisorStatus) => void): void {
    this.listener = listener;
    for (const message of this.buffered.splice(0)) listener(message);
  }

  onClose(listener: () => void): void {
    if (this.socket.closed) listener();
    else this.socket.once('close', listener);
  }

  unref(): void {
    this.socket.unref();
  }

  async close(): Promise<void> {
    if (this.socket.closed) return;
    await new Promise<void>((resolve) => {
      this.socket.once('close', () => resolve());
      this.socket.destroy();
    });
  }
}

function parseControlFile(text: string): { port: number; token: string } {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && 'port' in value && 'token' in value) {
    return { port: Number(value.port), token: String(value.token) };
  }
  throw new Error('keeper.json is malformed.');
}
