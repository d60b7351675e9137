import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { HostResponse } from './host-requests.js';
import {
  CPU_PROVIDER_PROBE_RESULT,
  type ExecutionProviderProbeResult,
} from '../provider/probe-execution-provider.js';
import { killProcessGroup, TailBuffer, restoreSignalFromExitCode } from '../../tool/child-process.js';
import { prepareSandboxedCommand } from '../../tool/sandboxed-command.js';
import { ToolFailedError, type ToolLimits, ToolTimeoutError } from '../../tool/tool.js';

const NAME = 'sherpa-host';
const STDERR_BYTES = 4096;
/** The library prints this when an inference fails, and then returns an empty result. */
const MODEL_FAILURE_MARKER = 'Caught exception';
/** The library prints this when it lacks the execution provider of a model, and then uses the CPU. */
const PROVIDER_FALLBACK_MARKER = 'Fallback to cpu';

/** Hosts are long-lived and hold models of any size, so only writing files is restricted. */
const LIMITS: ToolLimits = {
  memoryBytes: Infinity,
  cpuSeconds: Infinity,
  fileBytes: 0,
  wallSeconds: Infinity,
};
/** A driver opens dozens of files for each device. */
const OPEN_FILES_WITH_DEVICES = 1024;

export interface SherpaHostProcessOptions {
  /** Absolute paths. */
  models: readonly string[];
  /** CPUs by default. */
  provider?: ExecutionProviderProbeResult;
  /** One of the devices of the provider. */
  device?: string | undefined;
}

export interface HostRequestLimits {
  signal: AbortSignal;
  wallSeconds: number;
}

/** The host remains usable. `stderrTail` is for the log only. */
export class HostRequestError extends Error {
  override readonly name = 'HostRequestError';

  constructor(
    message: string,
    readonly stderrTail: string,
  ) {
    super(message);
  }
}

/** A sandboxed process; handles one request at a time. */
export class SherpaHostProcess {
  private stderr = new TailBuffer(STDERR_BYTES);
  private readonly exited: Promise<void>;
  private hasExited = false;
  /** The peak that its last response named. */
  peakMemoryBytes: number | null = null;

  private constructor(private readonly child: ChildProcess) {
    child.stderr?.on('data', (bytes: Buffer) => this.stderr.push(bytes));
    this.exited = new Promise((resolve) => {
      const onExit = () => {
        this.hasExited = true;
        resolve();
      };
      // `close` is never emitted if the process could not be started.
      child.once('error', onExit);
      child.once('close', onExit);
    });
    this.setEventLoopRef(false);
  }

  /**
   * The process reads only its program and model files, and opens the device files of its provider; audio is sent over IPC.
   * @throws the reason of the signal when it is aborted
   */
  static async start(
    { models, provider = CPU_PROVIDER_PROBE_RESULT, device }: SherpaHostProcessOptions,
    signal: AbortSignal,
  ): Promise<SherpaHostProcess> {
    const { deviceFiles: devices, reads } = provider;
    const policy = {
      limits: devices.length === 0 ? LIMITS : { ...LIMITS, openFiles: OPEN_FILES_WITH_DEVICES },
      files: { reads: [...listSherpaHostReadPaths(), ...models, ...reads], devices },
    };
    const environment = device === undefined || provider.provider !== 'cuda' ? {} : selectCudaDevice(device);
    const { file, args, options } = await prepareSandboxedCommand(SHERPA_HOST_COMMAND, policy, environment);
    signal.throwIfAborted();
    return new SherpaHostProcess(
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
   * Aborting and timeouts kill the process.
   * @throws HostRequestError, after which the host remains usable; ToolFailedError when the process died;
   *   ToolTimeoutError; the reason of the abort
   */
  async request(message: { kind: string; request: object }, limits: HostRequestLimits): Promise<unknown> {
    limits.signal.throwIfAborted();
    this.stderr = new TailBuffer(STDERR_BYTES);
    const waiting = new AbortController();
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      void this.end();
    }, limits.wallSeconds * 1000);
    const onAbort = () => void this.end();
    limits.signal.addEventListener('abort', onAbort, { once: true });
    this.setEventLoopRef(true);
    try {
      const response = await Promise.race([this.awaitResponse(message, waiting.signal), this.exited]);
      limits.signal.throwIfAborted();
      if (response === undefined) throw this.buildExitError(timedOut ? limits.wallSeconds : null);
      // Lets stderr output that preceded the response arrive.
      await setImmediate();
      this.peakMemoryBytes = response.peakMemoryBytes;
      if ('failure' in response) throw new HostRequestError(response.failure, this.stderr.toString());
      await this.checkMessages(this.stderr.toString());
      return response.answer;
    } finally {
      waiting.abort();
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', onAbort);
      this.setEventLoopRef(false);
    }
  }

  async end(): Promise<void> {
    if (this.hasExited) return;
    // A command that waits for this, and for nothing else, would end before.
    this.setEventLoopRef(true);
    killProcessGroup(this.child);
    await this.exited;
  }

  /** Checks messages of the library, which reports no errors of these kinds. */
  private async checkMessages(stderr: string): Promise<void> {
    if (stderr.includes(MODEL_FAILURE_MARKER))
      throw new HostRequestError('A run of the model failed.', stderr);
    if (!stderr.includes(PROVIDER_FALLBACK_MARKER)) return;
    // It would go on with the model on the CPU.
    await this.end();
    throw new HostRequestError('The native library does not have the execution provider.', stderr);
  }

  private async awaitResponse(message: object, signal: AbortSignal): Promise<HostResponse | undefined> {
    const answered = once(this.child, 'message', { signal }).then(
      ([answer]) => answer as HostResponse,
      () => undefined,
    );
    // If the channel is closed, the process is about to exit.
    if (this.child.connected) this.child.send(message, () => undefined);
    else await this.exited;
    return answered;
  }

  private buildExitError(overSeconds: number | null): Error {
    if (overSeconds !== null) return new ToolTimeoutError(NAME, 'wall', overSeconds);
    const { code, signal } = restoreSignalFromExitCode(this.child.exitCode, this.child.signalCode);
    return new ToolFailedError(NAME, code, signal, this.stderr.toString());
  }

  /** Idle hosts must not keep the parent's event loop alive. */
  private setEventLoopRef(isReferenced: boolean): void {
    const { child } = this;
    const pipe = child.stderr as { ref?(): void; unref?(): void } | null;
    for (const handle of [child, child.channel, pipe]) {
      if (isReferenced) handle?.ref?.();
      else handle?.unref?.();
    }
  }
}

function selectCudaDevice(device: string): Record<string, string> {
  return {
    CUDA_VISIBLE_DEVICES: device,
    CUDA_DEVICE_ORDER: 'PCI_BUS_ID',
    // A host writes no files.
    CUDA_CACHE_DISABLE: '1',
  };
}

const PROGRAM = fileURLToPath(new URL('./host.mjs', import.meta.url));
const PACKAGES = ['sherpa-onnx-node', `sherpa-onnx-${process.platform}-${process.arch}`];
/** The library reads the number and features of the CPUs. */
const CPU_INFO_FOLDER = '/sys/devices/system/cpu';

export const SHERPA_HOST_COMMAND = [realpathSync(process.execPath), PROGRAM] as const;

/** Node, this folder, and packages where Node resolves them. */
export function listSherpaHostReadPaths(): string[] {
  const folders = createRequire(PROGRAM).resolve.paths(PACKAGES.join()) ?? [];
  const packages = PACKAGES.flatMap(
    (name) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? [],
  );
  const [node] = SHERPA_HOST_COMMAND;
  return [node, dirname(PROGRAM), ...packages, ...[CPU_INFO_FOLDER].filter((path) => existsSync(path))];
}
