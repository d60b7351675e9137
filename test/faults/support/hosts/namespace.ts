import { type ChildProcess, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { spawnBoundToParent, stopProcess, waitForOutput } from '../../../support/child-process.js';

const START_MS = 10_000;
const run = promisify(execFile);
/** `ip` and `nft` are there. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;

/** Runs a command of this machine. @returns its output @throws Error with the output of a command that fails */
export async function runCommand([program = '', ...args]: readonly string[]): Promise<string> {
  const { stdout } = await run(program, args, { env: { PATH } });
  return stdout;
}

/**
 * A network namespace without a name. It exists until its processes have ended: one that waits, and those that the test
 * starts. All of them end with this process, and the kernel then removes the namespace with its links.
 */
export class NetworkNamespace {
  private constructor(private readonly holder: ChildProcess) {}

  /** @throws Error with the message of the kernel if it is not permitted */
  static async create(): Promise<NetworkNamespace> {
    const holder = spawnBoundToParent('unshare', ['--net', 'sh', '-c', 'echo ready && exec sleep infinity'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await waitForOutput(holder, /ready/, START_MS);
    return new NetworkNamespace(holder);
  }

  /** For `ip link … netns`. */
  get pid(): number {
    return this.holder.pid ?? 0;
  }

  /** What it runs ends with this process. */
  get enter(): readonly string[] {
    return ['nsenter', `--net=/proc/${this.pid}/ns/net`, 'setpriv', '--pdeathsig', 'KILL'];
  }

  run(...command: string[]): Promise<string> {
    return runCommand([...this.enter, ...command]);
  }

  /** Removes it, unless other processes still run in it. */
  async leave(): Promise<void> {
    await stopProcess(this.holder, 'SIGKILL');
  }
}
