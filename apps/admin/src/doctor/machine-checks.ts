import { mkdir, statfs, writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { assertValidBreachedPasswordsFile } from '@app/auth';
import { type Config, resolveWorkFolder } from '@app/config';
import { findDatabaseFolderOutsideDataDir } from '@app/database';
import { describeError } from '@app/errors';
import {
  decodeSampleOfSilence,
  FFMPEG_TOOL,
  locateRequiredTool,
  type ExternalTool,
  ToolMissingError,
  type SandboxProtections,
  detectSandboxProtections,
} from '@app/speech';
import {
  type Finding,
  createOkFinding,
  createProblemFinding,
  runCheckOrReportProblem,
  createWarningFinding,
} from './finding.js';

const MIN_NODE_VERSION = [20, 19] as const;
const LOW_DISK_BYTES = 2 * 2 ** 30;
/** Less than one audio file needs. */
const FULL_DISK_BYTES = 64 * 2 ** 20;
/** Linux `f_type` of tmpfs and ramfs. */
const IN_MEMORY_FILESYSTEM_TYPES = new Set([0x01021994, 0x858458f6]);

/** Checks that need no service. */
export function runMachineChecks(config: Config): Promise<Finding>[] {
  const { service, limits, sessions } = config;
  const work = resolveWorkFolder(config);
  return [
    Promise.resolve(checkNodeVersion()),
    runCheckOrReportProblem('ffmpeg', 'Check its file: it cannot be read.', () => checkDecoding()),
    runCheckOrReportProblem(
      'sandbox',
      'Install bubblewrap, and util-linux (prlimit, setpriv, unshare).',
      checkSandbox,
    ),
    runCheckOrReportProblem('data folder', adviseToMakeWritable(service.dataDir, 'DATA_DIR'), () =>
      checkDataFolder(service.dataDir, config.database.url === undefined),
    ),
    runCheckOrReportProblem('disk', diskAdvice, () => checkDiskSpace(service.dataDir)),
    runCheckOrReportProblem('work folder', adviseToMakeWritable(work, 'WORK_DIR'), () =>
      checkWorkFolder(work, limits.multipartBytes),
    ),
    ...(sessions.breachedPasswordsFile === undefined
      ? []
      : [checkBreachedPasswords(sessions.breachedPasswordsFile)]),
  ];
}

/** Under the units of systemd, all but the folder of the state is mounted read-only. */
function adviseToMakeWritable(path: string, setting: string) {
  return (error: unknown) =>
    (error as NodeJS.ErrnoException).code === 'EROFS'
      ? `Under systemd, add ReadWritePaths=${path} to the unit and to the command of doctor; otherwise mount its disk writable, or set ${setting}.`
      : `Make ${path} writable, or set ${setting}.`;
}

function diskAdvice(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'ENOSPC'
    ? 'Free some space, or set DATA_DIR to another disk.'
    : 'Its room is known once the data folder can be used: see `data folder`.';
}

function checkNodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const enough =
    major > MIN_NODE_VERSION[0] || (major === MIN_NODE_VERSION[0] && minor >= MIN_NODE_VERSION[1]);
  const detail = `Node ${process.versions.node}`;
  return enough
    ? createOkFinding('node', detail)
    : createProblemFinding('node', detail, `Install Node ${MIN_NODE_VERSION.join('.')} or later.`);
}

/** @returns the install instruction as advice, not in the detail as well */
export async function checkToolInstalled(tool: ExternalTool): Promise<Finding> {
  try {
    return createOkFinding(tool.name, await locateRequiredTool(tool));
  } catch (error) {
    if (!(error instanceof ToolMissingError)) throw error;
    return createProblemFinding(tool.name, 'not installed', error.install);
  }
}

async function checkDecoding(): Promise<Finding> {
  const found = await checkToolInstalled(FFMPEG_TOOL);
  if (found.status !== 'ok') return found;
  try {
    await decodeSampleOfSilence();
    return found;
  } catch (error) {
    const detail = `${found.detail} cannot decode a valid file: ${describeError(error)}`;
    return createProblemFinding(
      FFMPEG_TOOL.name,
      detail,
      'Install the complete package: jobs wait until ffmpeg decodes.',
    );
  }
}

const PROTECTION_LABELS: Record<keyof SandboxProtections, string> = {
  resourceLimits: 'limits of memory, time and file size',
  diesWithParent: 'ends with its parent',
  noNetwork: 'no network',
  ownFilesOnly: 'own files only',
};

async function checkSandbox(): Promise<Finding> {
  const protection = await detectSandboxProtections();
  const labels = (wanted: boolean) =>
    (Object.keys(PROTECTION_LABELS) as (keyof SandboxProtections)[])
      .flatMap((name) => (protection[name] === wanted ? [PROTECTION_LABELS[name]] : []))
      .join(', ');
  const [active, missing] = [labels(true), labels(false)];
  if (missing === '') return createOkFinding('sandbox', active);
  return createWarningFinding(
    'sandbox',
    `active: ${active || 'nothing'}; not active: ${missing}`,
    'Media programs and native models run with less protection here. On Linux: install bubblewrap and util-linux, and allow user namespaces (in a container: run it with less strict seccomp and AppArmor profiles).',
  );
}

async function checkDataFolder(path: string, isDatabaseEmbedded: boolean): Promise<Finding> {
  await assertWritable(path);
  const database = isDatabaseEmbedded ? await findDatabaseFolderOutsideDataDir(path) : undefined;
  if (database === undefined) return createOkFinding('data folder', path);
  return createWarningFinding(
    'data folder',
    `${path}; the database is outside of it, in ${database}`,
    'A copy of DATA_DIR does not contain the database. Use `backup`, or stop every program and copy both folders (docs/operating/backup.md).',
  );
}

async function checkWorkFolder(path: string, largestFile: number): Promise<Finding> {
  await assertWritable(path);
  const { free, inMemory } = await readFreeSpace(path);
  const detail = `${path}, ${formatGibibytes(free)} free`;
  if (inMemory)
    return createWarningFinding(
      'work folder',
      `${detail}, in memory`,
      'Set WORK_DIR to a folder on a disk of this machine.',
    );
  if (free < largestFile)
    return createWarningFinding(
      'work folder',
      `${detail}; files of up to ${formatGibibytes(largestFile)} are accepted`,
      'Jobs whose file does not fit wait: free some space, or set WORK_DIR to another disk.',
    );
  return createOkFinding('work folder', detail);
}

async function checkDiskSpace(path: string): Promise<Finding> {
  await ensureFolder(path);
  const { free } = await readFreeSpace(path);
  const detail = `${formatGibibytes(free)} free`;
  if (free > LOW_DISK_BYTES) return createOkFinding('disk', detail);
  return free < FULL_DISK_BYTES
    ? createProblemFinding('disk', `${path} is full: ${detail}`, 'Uploads are refused: free some space.')
    : createWarningFinding('disk', detail, 'Uploads may soon be refused: free some space.');
}

async function assertWritable(path: string): Promise<void> {
  await ensureFolder(path);
  const probe = join(path, `.doctor-${process.pid}`);
  await writeFile(probe, '');
  await rm(probe);
}

async function readFreeSpace(path: string): Promise<{ free: number; inMemory: boolean }> {
  const { bavail, bsize, type } = await statfs(path);
  return {
    free: bavail * bsize,
    inMemory: process.platform === 'linux' && IN_MEMORY_FILESYSTEM_TYPES.has(type),
  };
}

function formatGibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

/** The checks run concurrently, and the folder does not exist before the first start. */
async function ensureFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

function checkBreachedPasswords(path: string): Promise<Finding> {
  const name = 'passwords';
  const advice =
    'Get the SHA-1 list sorted by hash again, or leave BREACHED_PASSWORDS_FILE unset: the API does not start with it.';
  return runCheckOrReportProblem(name, advice, async () => {
    await assertValidBreachedPasswordsFile(path);
    return createOkFinding(name, `new ones are compared with ${path}`);
  });
}
