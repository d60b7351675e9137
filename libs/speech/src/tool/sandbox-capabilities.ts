import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildBwrapPrefix, type SandboxWrappers } from './build-sandbox-command.js';
import { findExecutableInSystemFolders, TOOL_SEARCH_PATH } from './tool.js';

export interface SandboxProtections {
  /** Limits of memory, CPU time and file size. */
  resourceLimits: boolean;
  diesWithParent: boolean;
  noNetwork: boolean;
  /** Programs see only their own files, system files and their own processes. */
  ownFilesOnly: boolean;
}

const execFileAsync = promisify(execFile);
let probedWrappers: Promise<SandboxWrappers> | undefined;

export async function detectSandboxProtections(): Promise<SandboxProtections> {
  const found = await detectSandboxWrappers();
  const sandboxed = found.bwrap !== null;
  return {
    resourceLimits: found.prlimit !== null,
    diesWithParent: sandboxed || found.setpriv !== null,
    noNetwork: sandboxed || found.unshareNetwork !== null,
    ownFilesOnly: sandboxed,
  };
}

/** Probed once per process. */
export function detectSandboxWrappers(): Promise<SandboxWrappers> {
  probedWrappers ??= probe();
  return probedWrappers;
}

async function probe(): Promise<SandboxWrappers> {
  const [bwrap, unshareNetwork, prlimit, setpriv] = await Promise.all([
    findWorkingBwrap(),
    findNetworkIsolation(),
    findWorkingWrapper('prlimit', (path) => [path, '--core=0', '--nofile=64', '--']),
    findWorkingWrapper('setpriv', (path) => [path, '--pdeathsig', 'KILL', '--no-new-privs', '--']),
  ]);
  if (bwrap === null) return { bwrap, unshareNetwork, prlimit, setpriv };
  const { path, ...features } = bwrap;
  const limiter = { ...features, processLimiter: prlimit };
  const limits = prlimit !== null && (await succeeds(buildBwrapPrefix(path, { reads: [] }, limiter)));
  return {
    bwrap: path,
    ...features,
    processLimiter: limits ? prlimit : null,
    unshareNetwork,
    prlimit,
    setpriv,
  };
}

type BwrapFeatures = Required<Pick<SandboxWrappers, 'bwrapFlags' | 'mountsProc'>>;

/** A program in a user namespace of its own would have every privilege there, and so more of the kernel to attack. */
const NO_USER_NAMESPACES = ['--unshare-user', '--disable-userns'];

/**
 * Being installed is not enough, because containers often forbid namespaces, or only to mount /proc. Older versions do
 * not know the flags.
 */
async function findWorkingBwrap(): Promise<({ path: string } & BwrapFeatures) | null> {
  const path = await findExecutableInSystemFolders('bwrap');
  if (path === null) return null;
  for (const mountsProc of [true, false])
    for (const bwrapFlags of [NO_USER_NAMESPACES, []])
      if (await succeeds(buildBwrapPrefix(path, { reads: [] }, { bwrapFlags, mountsProc })))
        return { path, bwrapFlags, mountsProc };
  return null;
}

/** Root needs only a network namespace; other users a user namespace as well. */
async function findNetworkIsolation(): Promise<string[] | null> {
  const unshare = await findExecutableInSystemFolders('unshare');
  if (unshare === null) return null;
  for (const flags of [['--net'], ['--user', '--net']]) {
    const command = [unshare, ...flags, '--'];
    if (await succeeds(command)) return command;
  }
  return null;
}

async function findWorkingWrapper(name: string, wrapper: (path: string) => string[]): Promise<string | null> {
  const path = await findExecutableInSystemFolders(name);
  return path !== null && (await succeeds(wrapper(path))) ? path : null;
}

async function succeeds(command: string[]): Promise<boolean> {
  const [file = '', ...rest] = command;
  return execFileAsync(file, [...rest, 'true'], { timeout: 5_000, env: { PATH: TOOL_SEARCH_PATH } }).then(
    () => true,
    () => false,
  );
}
