import type { ToolLimits } from './tool.js';

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

/** What a program sees of the disk beside the programs and libraries of the system. Paths are absolute. */
export interface FileAccess {
  /** Files and folders that it may read. */
  reads: readonly string[];
  /** The one folder that it may write to. */
  folder?: string | undefined;
}

/** Programs, libraries, and what it takes to load them; no configuration, no data of anybody. */
const SYSTEM_PATHS = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/etc/alternatives',
  '/etc/ld.so.cache',
];

/**
 * Passes the program's end on. The first process of a namespace is spared by signals that it does not handle, the one of
 * the limit of processor time among them, so the program must not be it; and what the program used is only counted
 * when its parent waits for it. The namespace, and all that runs in it, ends with this shell.
 */
const INIT_SHELL = ['/bin/sh', '-c', '"$@"; exit $?', 'sh'];

/** The words before a command that make `bwrap` run it with nothing but these files: no network, no other processes. */
export function buildBwrapArguments(bwrap: string, { reads, folder }: FileAccess): string[] {
  return [
    bwrap,
    ...['--unshare-all', '--as-pid-1', '--die-with-parent', '--cap-drop', 'ALL'],
    ...SYSTEM_PATHS.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...reads.flatMap((path) => (isSystemPath(path) ? [] : ['--ro-bind', path, path])),
    ...(folder === undefined ? [] : ['--bind', folder, folder]),
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--chdir', folder ?? '/', '--', ...INIT_SHELL],
  ];
}

function isSystemPath(path: string): boolean {
  return SYSTEM_PATHS.some((folder) => path === folder || path.startsWith(`${folder}/`));
}
