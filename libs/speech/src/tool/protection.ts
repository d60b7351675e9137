import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Wrappers } from './cage.js';
import { locate, TOOL_PATH } from './find-tool.js';
import { sandbox } from './sandbox.js';

/** Which protections around outside programs are active on this machine. */
export interface ToolProtection {
  /** Memory, processor time and file size are capped by the system. */
  resourceLimits: boolean;
  /** A program dies with the process that started it, even when that one is killed. */
  diesWithParent: boolean;
  /** A program reaches no network. */
  noNetwork: boolean;
  /** A program sees the files that it was given, those of the system, and its own processes; nothing else. */
  ownFilesOnly: boolean;
}

const run = promisify(execFile);
let probed: Promise<Wrappers> | undefined;

/** What is active, for a person who checks the installation. */
export async function toolProtection(): Promise<ToolProtection> {
  const found = await wrappers();
  const sandboxed = found.sandbox !== null;
  return {
    resourceLimits: found.prlimit !== null,
    diesWithParent: sandboxed || found.setpriv !== null,
    noNetwork: sandboxed || found.noNetwork !== null,
    ownFilesOnly: sandboxed,
  };
}

/** The wrappers that work here; tried once a process. */
export function wrappers(): Promise<Wrappers> {
  probed ??= probe();
  return probed;
}

async function probe(): Promise<Wrappers> {
  const [sandboxPath, noNetwork, prlimit, setpriv] = await Promise.all([
    // A container often forbids what it needs, so being installed does not count.
    workingPath('bwrap', (path) => sandbox(path, { reads: [] })),
    findNoNetwork(),
    workingPath('prlimit', (path) => [path, '--core=0', '--nofile=64', '--']),
    workingPath('setpriv', (path) => [path, '--pdeathsig', 'KILL', '--no-new-privs', '--']),
  ]);
  return { sandbox: sandboxPath, noNetwork, prlimit, setpriv };
}

/** As root a network namespace is enough; others need a user namespace around it, where the system grants one. */
async function findNoNetwork(): Promise<string[] | null> {
  const unshare = await locate('unshare');
  if (unshare === null) return null;
  for (const flags of [['--net'], ['--user', '--net']]) {
    const command = [unshare, ...flags, '--'];
    if (await works(command)) return command;
  }
  return null;
}

async function workingPath(name: string, wrapper: (path: string) => string[]): Promise<string | null> {
  const path = await locate(name);
  return path !== null && (await works(wrapper(path))) ? path : null;
}

async function works(command: string[]): Promise<boolean> {
  const [file = '', ...rest] = command;
  return run(file, [...rest, 'true'], { timeout: 5_000, env: { PATH: TOOL_PATH } }).then(
    () => true,
    () => false,
  );
}
