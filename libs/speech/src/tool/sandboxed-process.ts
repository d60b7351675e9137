import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { prepareSandboxedCommand } from './sandboxed-command.js';
import {
  killProcessGroup,
  type ProcessExit,
  TailBuffer,
  restoreSignalFromExitCode,
} from './child-process.js';
import {
  locateRequiredTool,
  type ExternalTool,
  ToolFailedError,
  type ToolLimits,
  ToolTimeoutError,
} from './tool.js';

export interface ToolRunOptions {
  tool: ExternalTool;
  args: readonly string[];
  limits: ToolLimits;
  signal: AbortSignal;
  /** Absolute paths besides those of the system. */
  reads?: readonly string[];
  /** Working directory and the only writable folder; by default `/`, read-only. */
  folder?: string;
  env?: Readonly<Record<string, string>>;
  /** Length of the retained tail of stderr; 4096 by default. */
  stderrBytes?: number;
  /** Receives stderr instead; `toString` returns what is logged. */
  stderr?: StderrReader;
}

interface StderrReader {
  push(bytes: Buffer): void;
  toString(): string;
}

const STDERR_BYTES = 4096;

export class SandboxedProcess {
  private readonly stderr: StderrReader;
  private readonly closed: Promise<ProcessExit>;
  private readonly wallTimer: NodeJS.Timeout;
  private readonly onAbort = (): void => this.kill(this.run.signal.reason);
  private reason: { error: unknown } | undefined;

  private constructor(
    private readonly child: ChildProcessByStdio<null, Readable, Readable>,
    private readonly run: ToolRunOptions,
  ) {
    this.stderr = run.stderr ?? new TailBuffer(run.stderrBytes ?? STDERR_BYTES);
    child.stderr.on('data', (bytes: Buffer) => this.stderr.push(bytes));
    this.closed = new Promise((resolve) => {
      // `close` is never emitted if the program could not be started.
      child.once('error', () => resolve({ code: null, signal: null }));
      child.once('close', (code, signal) => resolve(restoreSignalFromExitCode(code, signal)));
    });
    this.wallTimer = setTimeout(
      () => this.killForTimeout('wall', run.limits.wallSeconds),
      run.limits.wallSeconds * 1000,
    );
    run.signal.addEventListener('abort', this.onAbort, { once: true });
  }

  /** @throws ToolMissingError; the reason of the signal when it is already aborted */
  static async start(run: ToolRunOptions): Promise<SandboxedProcess> {
    const path = await locateRequiredTool(run.tool);
    const files = { reads: [path, ...(run.reads ?? [])], folder: run.folder };
    const policy = { limits: run.limits, files };
    const { file, args, options } = await prepareSandboxedCommand([path, ...run.args], policy, run.env);
    run.signal.throwIfAborted();
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    return new SandboxedProcess(child, run);
  }

  get output(): Readable {
    return this.child.stdout;
  }

  /** False as soon as the process has exited, possibly before its output has been read. */
  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Kills the program; `waitForExit` then throws `error`. The first error counts. */
  kill(error: unknown): void {
    this.reason ??= { error };
    killProcessGroup(this.child);
  }

  killForTimeout(limit: 'wall' | 'stall', seconds: number): void {
    this.kill(new ToolTimeoutError(this.run.tool.name, limit, seconds));
  }

  /** Resolves on exit code 0. @throws ToolFailedError, ToolTimeoutError; the reason of the abort */
  async waitForExit(): Promise<void> {
    const { code, signal } = await this.closed;
    this.release();
    const { tool, limits } = this.run;
    if (this.reason) throw this.reason.error;
    if (signal === 'SIGXCPU') throw new ToolTimeoutError(tool.name, 'cpu', limits.cpuSeconds);
    if (code !== 0) throw new ToolFailedError(tool.name, code, signal, this.stderr.toString());
  }

  async dispose(): Promise<void> {
    killProcessGroup(this.child);
    this.child.stdout.destroy();
    await this.closed;
    this.release();
  }

  private release(): void {
    clearTimeout(this.wallTimer);
    this.run.signal.removeEventListener('abort', this.onAbort);
  }
}
