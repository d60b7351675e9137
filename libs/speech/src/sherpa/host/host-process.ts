import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { HostResponse } from './host-requests.js';
import { killProcessGroup, TailBuffer, toProcessExit } from '../../tool/child-process.js';
import { prepareSandboxedCommand } from '../../tool/sandboxed-command.js';
import { ToolFailedError, type ToolLimits, ToolTimeoutError } from '../../tool/tool.js';

const NAME = 'sherpa-host';
const STDERR_BYTES = 4096;
/** What the library prints when a run of a model fails; it then gives an empty result, as if there were nothing. */
const MODEL_FAILURE_MARKER = 'Caught exception';

/** It serves for as long as it does well, and holds models of any size: only what it must never do is bounded. */
const LIMITS: ToolLimits = {
  memoryBytes: Infinity,
  cpuSeconds: Infinity,
  fileBytes: 0,
  wallSeconds: Infinity,
};

/** What one request may take. */
export interface HostLimits {
  signal: AbortSignal;
  /** Seconds until it is given up. */
  wallSeconds: number;
}

/** The native library refused a request; the host is well. `stderrTail` is for the log only. */
export class HostRequestError extends Error {
  override readonly name = 'HostRequestError';

  constructor(
    message: string,
    readonly stderrTail: string,
  ) {
    super(message);
  }
}

/** One process with native models in it, in a cage of its own. Takes one request at a time. */
export class HostProcess {
  private stderr = new TailBuffer(STDERR_BYTES);
  private readonly exited: Promise<void>;
  private hasExited = false;

  private constructor(private readonly child: ChildProcess) {
    child.stderr?.on('data', (bytes: Buffer) => this.stderr.push(bytes));
    this.exited = new Promise((resolve) => {
      const kill = () => {
        this.hasExited = true;
        resolve();
      };
      // `close` never comes when it could not be started at all.
      child.once('error', kill);
      child.once('close', kill);
    });
    this.setEventLoopRef(false);
  }

  /**
   * Sound comes to it as numbers, so that it needs no files but its own and those of models.
   * @param models absolute paths of the files that it may be asked to load
   * @throws the signal's reason when it is aborted
   */
  static async start(models: readonly string[], signal: AbortSignal): Promise<HostProcess> {
    const allowance = { limits: LIMITS, files: { reads: [...listHostFiles(), ...models] } };
    const { file, args, options } = await prepareSandboxedCommand(HOST_COMMAND, allowance);
    signal.throwIfAborted();
    return new HostProcess(
      spawn(file, args, {
        ...options,
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        serialization: 'advanced',
      }),
    );
  }

  get alive(): boolean {
    return !this.hasExited;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /**
   * The answer to one request. Whatever keeps it from coming ends the process.
   * @throws HostRequestError, after which the host can be asked again; ToolFailedError when the process died; ToolTimeoutError; the
   *   reason of the abort
   */
  async request(message: { kind: string; request: object }, limits: HostLimits): Promise<unknown> {
    limits.signal.throwIfAborted();
    this.stderr = new TailBuffer(STDERR_BYTES);
    const waiting = new AbortController();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      void this.end();
    }, limits.wallSeconds * 1000);
    const onAbort = () => void this.end();
    limits.signal.addEventListener('abort', onAbort, { once: true });
    this.setEventLoopRef(true);
    try {
      const answer = await Promise.race([this.awaitResponse(message, waiting.signal), this.exited]);
      limits.signal.throwIfAborted();
      if (answer === undefined) throw this.buildExitError(late ? limits.wallSeconds : null);
      // What was printed before the answer was sent is read within a turn of the loop.
      await setImmediate();
      if ('failure' in answer) throw new HostRequestError(answer.failure, this.stderr.toString());
      if (this.stderr.toString().includes(MODEL_FAILURE_MARKER))
        throw new HostRequestError('A run of the model failed.', this.stderr.toString());
      return answer.answer;
    } finally {
      waiting.abort();
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', onAbort);
      this.setEventLoopRef(false);
    }
  }

  /** Kills it, whatever it does. Resolves when it is gone. */
  async end(): Promise<void> {
    if (!this.hasExited) killProcessGroup(this.child);
    await this.exited;
  }

  private async awaitResponse(message: object, signal: AbortSignal): Promise<HostResponse | undefined> {
    const answered = once(this.child, 'message', { signal }).then(
      ([answer]) => answer as HostResponse,
      () => undefined,
    );
    // A channel that is closed tells so by the end of the process, which is waited for as well.
    if (this.child.connected) this.child.send(message, () => undefined);
    else await this.exited;
    return answered;
  }

  private buildExitError(overSeconds: number | null): Error {
    if (overSeconds !== null) return new ToolTimeoutError(NAME, 'wall', overSeconds);
    const { code, signal } = toProcessExit(this.child.exitCode, this.child.signalCode);
    return new ToolFailedError(NAME, code, signal, this.stderr.toString());
  }

  /** A host that rests must not keep its owner from ending. */
  private setEventLoopRef(held: boolean): void {
    const { child } = this;
    const pipe = child.stderr as { ref?(): void; unref?(): void } | null;
    for (const handle of [child, child.channel, pipe]) {
      if (held) handle?.ref?.();
      else handle?.unref?.();
    }
  }
}

const PROGRAM = fileURLToPath(new URL('./host.mjs', import.meta.url));
/** The library, and its native part for this machine. */
const PACKAGES = ['sherpa-onnx-node', `sherpa-onnx-${process.platform}-${process.arch}`];
/** Of the processors the library wants to know how many there are and what they can do. */
const CPU_INFO_FOLDER = '/sys/devices/system/cpu';

/** The command line of a host. */
export const HOST_COMMAND = [realpathSync(process.execPath), PROGRAM] as const;

/** What a host reads beside models. Packages are named by the paths under which Node looks for them. */
export function listHostFiles(): string[] {
  const folders = createRequire(PROGRAM).resolve.paths(PACKAGES.join()) ?? [];
  const packages = PACKAGES.flatMap(
    (name) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? [],
  );
  const [node] = HOST_COMMAND;
  return [node, dirname(PROGRAM), ...packages, ...[CPU_INFO_FOLDER].filter((path) => existsSync(path))];
}
