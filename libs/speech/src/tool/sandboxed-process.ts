import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { prepareSandboxedCommand } from './sandboxed-command.js';
import { killProcessGroup, type ProcessExit, TailBuffer, toProcessExit } from './child-process.js';
import { findTool, type Tool, ToolFailedError, type ToolLimits, ToolTimeoutError } from './tool.js';

export interface ToolRun {
  tool: Tool;
  args: readonly string[];
  limits: ToolLimits;
  signal: AbortSignal;
  /** Absolute paths of files and folders that it may read, beside those of the system and its own folder. */
  reads?: readonly string[];
  /** The folder it runs in, the only one that it may write to; the root, and none, when left out. */
  folder?: string;
  /** Variables that it gets beside the few that all get. */
  env?: Readonly<Record<string, string>>;
  /** Bytes kept of the end of its error output; 4096 when left out. */
  stderrBytes?: number;
  /** Takes its error output instead; what it has kept of it is for the log. */
  stderr?: StderrReader;
}

interface StderrReader {
  push(bytes: Buffer): void;
  toString(): string;
}

const STDERR_BYTES = 4096;

/** One running program in its own process group, under limits. */
export class SandboxedProcess {
  private readonly stderr: StderrReader;
  private readonly closed: Promise<ProcessExit>;
  private readonly wallTimer: NodeJS.Timeout;
  private readonly onAbort = (): void => this.kill(this.run.signal.reason);
  /** Why we ended it, when we did. */
  private reason: { error: unknown } | undefined;

  private constructor(
    private readonly child: ChildProcessByStdio<null, Readable, Readable>,
    private readonly run: ToolRun,
  ) {
    this.stderr = run.stderr ?? new TailBuffer(run.stderrBytes ?? STDERR_BYTES);
    child.stderr.on('data', (bytes: Buffer) => this.stderr.push(bytes));
    this.closed = new Promise((resolve) => {
      // `close` never comes when the program could not be started at all.
      child.once('error', () => resolve({ code: null, signal: null }));
      child.once('close', (code, signal) => resolve(toProcessExit(code, signal)));
    });
    this.wallTimer = setTimeout(
      () => this.killForTimeout('wall', run.limits.wallSeconds),
      run.limits.wallSeconds * 1000,
    );
    run.signal.addEventListener('abort', this.onAbort, { once: true });
  }

  /** Throws `ToolMissingError`, or the signal's reason when it is already aborted. */
  static async start(run: ToolRun): Promise<SandboxedProcess> {
    const path = await findTool(run.tool);
    const files = { reads: [path, ...(run.reads ?? [])], folder: run.folder };
    const allowance = { limits: run.limits, files };
    const { file, args, options } = await prepareSandboxedCommand([path, ...run.args], allowance, run.env);
    run.signal.throwIfAborted();
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    return new SandboxedProcess(child, run);
  }

  get output(): Readable {
    return this.child.stdout;
  }

  /** Whether it still runs; `finished` says so later, once its output was read. */
  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends the program; `finished` then throws `error`. The first reason given stands. */
  kill(error: unknown): void {
    this.reason ??= { error };
    killProcessGroup(this.child);
  }

  /** Ends the program because it took longer than a limit. */
  killForTimeout(limit: 'wall' | 'stall', seconds: number): void {
    this.kill(new ToolTimeoutError(this.run.tool.name, limit, seconds));
  }

  /** Resolves when the program is gone and did well. Throws `ToolFailedError`, `ToolTimeoutError` or the abort reason. */
  async waitForExit(): Promise<void> {
    const { code, signal } = await this.closed;
    this.release();
    const { tool, limits } = this.run;
    if (this.reason) throw this.reason.error;
    if (signal === 'SIGXCPU') throw new ToolTimeoutError(tool.name, 'cpu', limits.cpuSeconds);
    if (code !== 0) throw new ToolFailedError(tool.name, code, signal, this.stderr.toString());
  }

  /** Makes sure that nothing of it is left, whatever happened before. */
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
