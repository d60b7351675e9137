import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;

export interface ChildProgramCallbacks {
  /** Called once, when it is ready for the first time. */
  ready: () => void;
  /** It ended before it was ready, so that a restart would not help. */
  failedToStart: (name: string, code: number | null) => void;
  restarting: (name: string, how: string, delayMs: number) => void;
}

type Launch = (path: string, options: ForkOptions) => ChildProcess;

/** Restarts a program with increasing delays when it ends. The program ends when its IPC channel closes. */
export class RestartingChildProgram {
  private process: ChildProcess | undefined;
  private timer: NodeJS.Timeout | undefined;
  private wasReady = false;
  private delayMs = FIRST_DELAY_MS;
  private stopping = false;

  constructor(
    readonly name: 'api' | 'processor',
    private readonly events: ChildProgramCallbacks,
    private readonly launch: Launch = fork,
  ) {}

  start(): void {
    const main = fileURLToPath(new URL(`../../../${this.name}/src/main.js`, import.meta.url));
    const child = this.launch(main, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.process = child;
    child.on('message', () => this.onReady());
    child.once('exit', (code, signal) => this.onExit(code, signal));
    child.on('error', (error: NodeJS.ErrnoException) => this.onError(child, error));
  }

  /** Sends SIGTERM, and SIGKILL after `graceMs`. Resolves when it has ended. */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    const child = this.process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await exited;
    clearTimeout(killer);
  }

  /** Without a pid the program was never created, and no `exit` follows. Other errors concern messages or signals. */
  private onError(child: ChildProcess, error: NodeJS.ErrnoException): void {
    if (child.pid !== undefined) return;
    this.process = undefined;
    this.onExit(null, error.code ?? error.message);
  }

  private onReady(): void {
    this.delayMs = FIRST_DELAY_MS;
    if (this.wasReady) return;
    this.wasReady = true;
    this.events.ready();
  }

  private onExit(code: number | null, signal: string | null): void {
    if (this.stopping) return;
    if (!this.wasReady) return this.events.failedToStart(this.name, code);
    this.events.restarting(this.name, signal ?? `code ${code}`, this.delayMs);
    this.timer = setTimeout(() => this.start(), this.delayMs);
    this.delayMs = Math.min(this.delayMs * 2, LONGEST_DELAY_MS);
  }
}
