import type { ToolLimits } from './tool.js';

/** Null where a wrapper does not work on this machine. */
export interface SandboxWrappers {
  /** Restricts files, network and visible processes. */
  bwrap: string | null;
  /** Whether bwrap can mount a /proc of its own, by default true; container engines that mask parts of theirs forbid it. */
  mountsProc?: boolean;
  /** Further flags of bwrap. */
  bwrapFlags?: readonly string[];
  /** Path of the `prlimit` that limits the processes within bwrap. */
  processLimiter?: string | null;
  /** Command prefix that removes network access. */
  unshareNetwork: readonly string[] | null;
  prlimit: string | null;
  setpriv: string | null;
}

export interface SandboxPolicy {
  limits: ToolLimits;
  files: FileAccess;
}

/** Without bwrap `setpriv` must be last: entering a user namespace clears the parent-death signal. */
export function buildSandboxCommand(
  command: readonly string[],
  policy: SandboxPolicy,
  wrappers: SandboxWrappers,
): string[] {
  const { limits, files } = policy;
  const { unshareNetwork, prlimit, setpriv } = wrappers;
  const limited = prlimit ? [prlimit, ...buildPrlimitFlags(limits), '--'] : [];
  if (wrappers.bwrap) return [...limited, ...buildBwrapPrefix(wrappers.bwrap, files, wrappers), ...command];
  return [
    ...(unshareNetwork ?? []),
    ...limited,
    ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--'] : []),
    ...command,
  ];
}

const OPEN_FILES = 64;

function buildPrlimitFlags(limits: ToolLimits): string[] {
  const { memoryBytes, cpuSeconds, openFiles = OPEN_FILES } = limits;
  const cpu = Math.max(1, Math.ceil(cpuSeconds));
  return [
    ...(memoryBytes === Infinity ? [] : [`--as=${Math.floor(memoryBytes)}`]),
    // The hard limit is a little higher: the soft limit raises SIGXCPU, which identifies the reason.
    ...(cpuSeconds === Infinity ? [] : [`--cpu=${cpu}:${cpu + 2}`]),
    `--fsize=${Math.floor(limits.fileBytes)}`,
    '--core=0',
    `--nofile=${openFiles}`,
  ];
}

/** Besides system programs and libraries. All paths are absolute. */
export interface FileAccess {
  reads: readonly string[];
  /** The only writable folder. */
  folder?: string | undefined;
  /** Device files that the program may open for reading and writing. */
  devices?: readonly string[];
  /** Folders of the service that are empty for the program where they lie within a system path. */
  hidden?: readonly string[];
}

/** No configuration, no user data. */
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
 * Runs the program as a child of the namespace's init process. Init ignores signals that it does not handle, among them
 * SIGXCPU, so the program must not be init itself; and its resource usage is only counted once its parent waits for it.
 * When the shell exits, the kernel kills everything in the namespace.
 */
const INIT_SHELL = ['/bin/sh', '-c', '"$@"; exit $?', 'sh'];

/** Processes and threads. A model may use 64 threads; older kernels count all those of the user. */
const MAX_PROCESSES = 512;

export function buildBwrapPrefix(
  bwrap: string,
  { reads, folder, devices = [], hidden = [] }: FileAccess,
  { bwrapFlags = [], mountsProc = true, processLimiter = null }: Omit<Partial<SandboxWrappers>, 'bwrap'> = {},
): string[] {
  const masks = hidden.filter(isSystemPath);
  const isVisible = (path: string) => isSystemPath(path) && !masks.some((mask) => isWithin(path, mask));
  return [
    bwrap,
    ...bwrapFlags,
    ...['--unshare-all', '--as-pid-1', '--die-with-parent', '--cap-drop', 'ALL'],
    ...SYSTEM_PATHS.flatMap((path) => ['--ro-bind-try', path, path]),
    // Without one, programs see no /proc at all, which media programs and hosts of models can do without.
    ...(mountsProc ? ['--proc', '/proc'] : []),
    ...['--dev', '/dev'],
    ...masks.flatMap((path) => ['--tmpfs', path]),
    ...reads.flatMap((path) => (isVisible(path) ? [] : ['--ro-bind', path, path])),
    ...devices.flatMap((path) => ['--dev-bind', path, path]),
    ...(folder === undefined ? [] : ['--bind', folder, folder]),
    ...masks.flatMap((path) => ['--remount-ro', path]),
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--chdir', folder ?? '/', '--', ...INIT_SHELL],
    ...(processLimiter === null ? [] : [processLimiter, `--nproc=${MAX_PROCESSES}`, '--']),
  ];
}

function isSystemPath(path: string): boolean {
  return SYSTEM_PATHS.some((folder) => isWithin(path, folder));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
