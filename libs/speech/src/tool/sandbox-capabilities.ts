import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildBwrapPrefix, type SandboxWrappers } from './build-sandbox-command.js';
import { locateExecutable, TOOL_PATH } from './tool.js';

export interface SandboxProtections {
  /** Of memory, CPU time and file size. */
  resourceLimits: boolean;
  diesWithParent: boolean;
  noNetwork: boolean;
  /** Programs see only their own files, system files and their own processes. */
  ownFilesOnly: boolean;
}

const execFileAsync = promisify(execFile);
let probedWrappers: Promise<SandboxWrappers> | undefined;

export async function detectSandboxProtections(): Promise<SandboxProtections> {
  const found = await findSandboxWrappers();
  const sandboxed = found.bwrap !== null;
  return {
    resourceLimits: found.prlimit !== null,
    diesWithParent: sandboxed || found.setpriv !== null,
    noNetwork: sandboxed || found.unshareNetwork !== null,
    ownFilesOnly: sandboxed,
  };
}

/** Probed once per process. */
export function findSandboxWrappers(): Promise<SandboxWrappers> {
  probedWrappers ??= probe();
  return probedWrappers;
}

async function probe(): Promise<SandboxWrappers> {
  const [{ bwrap, mountsProc }, unshareNetwork, prlimit, setpriv] = await Promise.all([
    findBwrap(),
    findNetworkIsolation(),
    findWorkingWrapper('prlimit', (path) => [path, '--core=0', '--nofile=64', '--']),
    findWorkingWrapper('setpriv', (path) => [path, '--pdeathsig', 'KILL', '--no-new-privs', '--']),
  ]);
  return { bwrap, mountsProc, unshareNetwork, prlimit, setpriv };
}

/** Being installed is not enough, because containers often forbid namespaces, or only to mount /proc. */
async function findBwrap(): Promise<Pick<SandboxWrappers, 'bwrap' | 'mountsProc'>> {
  for (const mountsProc of [true, false]) {
    const bwrap = await findWorkingWrapper('bwrap', (path) =>
      buildBwrapPrefix(path, { reads: [] }, mountsProc),
    );
    if (bwrap !== null) return { bwrap, mountsProc };
  }
  return { bwrap: null, mountsProc: false };
}

/** Root needs only a network namespace; other users a user namespace as well. */
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
