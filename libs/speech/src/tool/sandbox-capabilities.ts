import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildBwrapArguments, type SandboxWrappers } from './build-sandbox-command.js';
import { locateExecutable, TOOL_PATH } from './tool.js';

/** Which protections around outside programs are active on this machine. */
export interface SandboxCapabilities {
  /** Memory, processor time and file size are capped by the system. */
  resourceLimits: boolean;
  /** A program dies with the process that started it, even when that one is killed. */
  diesWithParent: boolean;
  /** A program reaches no network. */
  noNetwork: boolean;
  /** A program sees the files that it was given, those of the system, and its own processes; nothing else. */
  ownFilesOnly: boolean;
}

const execFileAsync = promisify(execFile);
let probedWrappers: Promise<SandboxWrappers> | undefined;

/** What is active, for a person who checks the installation. */
export async function detectSandboxCapabilities(): Promise<SandboxCapabilities> {
  const found = await findSandboxWrappers();
  const sandboxed = found.bwrap !== null;
  return {
    resourceLimits: found.prlimit !== null,
    diesWithParent: sandboxed || found.setpriv !== null,
    noNetwork: sandboxed || found.unshareNetwork !== null,
    ownFilesOnly: sandboxed,
  };
}

/** The wrappers that work here; tried once a process. */
export function findSandboxWrappers(): Promise<SandboxWrappers> {
  probedWrappers ??= probe();
  return probedWrappers;
}

async function probe(): Promise<SandboxWrappers> {
  const [sandboxPath, noNetwork, prlimit, setpriv] = await Promise.all([
    // A container often forbids what it needs, so being installed does not count.
    findWorkingWrapper('bwrap', (path) => buildBwrapArguments(path, { reads: [] })),
    findNetworkIsolation(),
    findWorkingWrapper('prlimit', (path) => [path, '--core=0', '--nofile=64', '--']),
    findWorkingWrapper('setpriv', (path) => [path, '--pdeathsig', 'KILL', '--no-new-privs', '--']),
  ]);
  return { bwrap: sandboxPath, unshareNetwork: noNetwork, prlimit, setpriv };
}

/** As root a network namespace is enough; others need a user namespace around it, where the system grants one. */
async function findNetworkIsolation(): Promise<string[] | null> {
  const unshare = await locateExecutable('unshare');
  if (unshare === null) return null;
  for (const flags of [['--net'], ['--user', '--net']]) {
    const command = [unshare, ...flags, '--'];
    if (await succeeds(command)) return command;
  }
  return null;
}

async function findWorkingWrapper(name: string, wrapper: (path: string) => string[]): Promise<string | null> {
  const path = await locateExecutable(name);
  return path !== null && (await succeeds(wrapper(path))) ? path : null;
}

async function succeeds(command: string[]): Promise<boolean> {
  const [file = '', ...rest] = command;
  return execFileAsync(file, [...rest, 'true'], { timeout: 5_000, env: { PATH: TOOL_PATH } }).then(
    () => true,
    () => false,
  );
}
