import { type FileAccess, buildBwrapArguments } from './bwrap-arguments.js';
import type { ToolLimits } from './tool-limits.js';

/** The wrappers that this machine offers, each a command line to put in front, or null where it is missing. */
export interface SandboxWrappers {
  /** Path of `bwrap`: shows a program its own files only, and neither network nor other processes. */
  bwrap: string | null;
  /** Cuts the program off every network. */
  unshareNetwork: readonly string[] | null;
  /** Path of `prlimit`. */
  prlimit: string | null;
  /** Path of `setpriv`. */
  setpriv: string | null;
}

/** What a program may use. */
export interface SandboxPolicy {
  limits: ToolLimits;
  files: FileAccess;
}

/**
 * The command line that runs `command` inside the wrappers.
 *
 * The order matters where the sandbox is missing: entering a user namespace changes credentials, and a change of
 * credentials clears the parent-death signal, so `setpriv` stands last.
 */
export function buildSandboxCommand(
  command: readonly string[],
  allowance: SandboxPolicy,
  wrappers: SandboxWrappers,
): string[] {
  const { limits, files } = allowance;
  const { unshareNetwork: noNetwork, prlimit, setpriv } = wrappers;
  const limited = prlimit ? [prlimit, ...buildPrlimitFlags(limits), '--'] : [];
  if (wrappers.bwrap) return [...limited, ...buildBwrapArguments(wrappers.bwrap, files), ...command];
  return [
    ...(noNetwork ?? []),
    ...limited,
    ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--'] : []),
    ...command,
  ];
}

function buildPrlimitFlags(limits: ToolLimits): string[] {
  const { memoryBytes, cpuSeconds } = limits;
  const cpu = Math.max(1, Math.ceil(cpuSeconds));
  return [
    ...(memoryBytes === Infinity ? [] : [`--as=${Math.floor(memoryBytes)}`]),
    // Soft, then hard a little later: the first raises SIGXCPU, which names the reason.
    ...(cpuSeconds === Infinity ? [] : [`--cpu=${cpu}:${cpu + 2}`]),
    `--fsize=${Math.floor(limits.fileBytes)}`,
    '--core=0',
    '--nofile=64',
  ];
}
