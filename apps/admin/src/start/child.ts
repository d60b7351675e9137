import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;

export interface ChildEvents {
  /** The first time it works. */
  ready: () => void;
  /** It ended before it ever worked; starting it again would end the same way. */
  stillborn: (name: string, code: number | null) => void;
  restarting: (name: string, how: string, delayMs: number) => void;
}

type Launch = (path: string, options: ForkOptions) => ChildProcess;

/** One program of the service, started anew whenever it ends by itself. It ends when its channel to us closes. */
export class Child {
  private process: ChildProcess | undefined;
  private timer: NodeJS.Timeout | undefined;
  private wasReady = false;
  private delayMs = FIRST_DELAY_MS;
  private stopping = false;

  constructor(
    readonly name: 'api' | 'processor',
    private readonly events: ChildEvents,
    private readonly launch: Launch = fork,
  ) {}

  start(): void {
    const main = fileURLToPath(new URL(`../../../${this.name}/src/main.js`, import.meta.url));
    const child = this.launch(main, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.process = child;
    child.on('message', () => this.ready());
    child.once('exit', (code, signal) => this.ended(code, signal));
    child.on('error', (error: NodeJS.ErrnoException) => this.troubled(child, error));
  }

  /** SIGTERM, then SIGKILL when `graceMs` have passed. Resolves when it is gone. */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    const child = this.process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await gone;
    clearTimeout(killer);
  }

  /** A program that could not be made has no end to wait for. A message or signal that did not reach one is no end. */
  private troubled(child: ChildProcess, error: NodeJS.ErrnoException): void {
    if (child.pid !== undefined) return;
    this.process = undefined;
    this.ended(null, error.code ?? error.message);
  }

  private ready(): void {
    this.delayMs = FIRST_DELAY_MS;
    if (this.wasReady) return;
    this.wasReady = true;
    this.events.ready();
  }

  private ended(code: number | null, signal: string | null): void {
    if (this.stopping) return;
    if (!this.wasReady) return this.events.stillborn(this.name, code);
    this.events.restarting(this.name, signal ?? `code ${code}`, this.delayMs);
    this.timer = setTimeout(() => this.start(), this.delayMs);
    this.delayMs = Math.min(this.delayMs * 2, LONGEST_DELAY_MS);
  }
}
