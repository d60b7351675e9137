import type { ToolLimits } from './tool-limits.js';

/** The wrappers that this machine offers, each a command line to put in front, or null where it is missing. */
export interface Wrappers {
  /** Cuts the program off every network. */
  noNetwork: readonly string[] | null;
  /** Path of `prlimit`. */
  prlimit: string | null;
  /** Path of `setpriv`. */
  setpriv: string | null;
}

/**
 * The command line that runs `command` inside the wrappers.
 *
 * The order matters: entering a user namespace changes credentials, and a change of credentials clears the
 * parent-death signal, so `setpriv` stands last.
 */
export function cage(command: readonly string[], limits: ToolLimits, wrappers: Wrappers): string[] {
  return [
    ...(wrappers.noNetwork ?? []),
    ...(wrappers.prlimit ? [wrappers.prlimit, ...prlimitFlags(limits), '--'] : []),
    ...(wrappers.setpriv ? [wrappers.setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--'] : []),
    ...command,
  ];
}

function prlimitFlags(limits: ToolLimits): string[] {
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
