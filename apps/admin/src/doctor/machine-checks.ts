import { mkdir, statfs, writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '@app/config';
import { FFMPEG, findTool, type ToolProtection, toolProtection } from '@app/speech';
import { type Finding, ok, problem, tried, warning } from './finding.js';

const LOWEST_NODE = [20, 19] as const;
const LITTLE_DISK_BYTES = 2 * 2 ** 30;

/** What can be said of the machine without any service. */
export function machineChecks({ service }: Config): Promise<Finding>[] {
  return [
    Promise.resolve(nodeVersion()),
    tried('ffmpeg', 'Install it: apt-get install ffmpeg (or brew install ffmpeg).', ffmpeg),
    tried('media cage', 'Install bubblewrap, and util-linux (prlimit, setpriv, unshare).', cage),
    tried('data folder', `Make ${service.dataDir} writable, or set DATA_DIR.`, () =>
      dataFolder(service.dataDir),
    ),
    tried('disk', 'Free some room, or set DATA_DIR to another disk.', () => disk(service.dataDir)),
  ];
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const enough = major > LOWEST_NODE[0] || (major === LOWEST_NODE[0] && minor >= LOWEST_NODE[1]);
  const detail = `Node ${process.versions.node}`;
  return enough
    ? ok('node', detail)
    : problem('node', detail, `Install Node ${LOWEST_NODE.join('.')} or later.`);
}

async function ffmpeg(): Promise<Finding> {
  return ok('ffmpeg', await findTool(FFMPEG));
}

/** What each protection keeps a media program from. */
const PROTECTIONS: Record<keyof ToolProtection, string> = {
  resourceLimits: 'limits of memory, time and file size',
  diesWithParent: 'ends with its parent',
  noNetwork: 'no network',
  ownFilesOnly: 'own files only',
};

async function cage(): Promise<Finding> {
  const protection = await toolProtection();
  const told = (wanted: boolean) =>
    (Object.keys(PROTECTIONS) as (keyof ToolProtection)[])
      .flatMap((name) => (protection[name] === wanted ? [PROTECTIONS[name]] : []))
      .join(', ');
  const [active, missing] = [told(true), told(false)];
  if (missing === '') return ok('media cage', active);
  return warning(
    'media cage',
    `active: ${active || 'nothing'}; not active: ${missing}`,
    'Media programs and native models run with less protection here. On Linux: install bubblewrap and util-linux, and allow user namespaces (in a container: run it with less strict seccomp and AppArmor profiles).',
  );
}

async function dataFolder(path: string): Promise<Finding> {
  await makeFolder(path);
  const probe = join(path, `.doctor-${process.pid}`);
  await writeFile(probe, '');
  await rm(probe);
  return ok('data folder', path);
}

async function disk(path: string): Promise<Finding> {
  await makeFolder(path);
  const { bavail, bsize } = await statfs(path);
  const free = bavail * bsize;
  const detail = `${(free / 2 ** 30).toFixed(1)} GiB free`;
  return free > LITTLE_DISK_BYTES
    ? ok('disk', detail)
    : warning('disk', detail, 'Uploads may soon be refused: free some room.');
}

/** The checks run at once, and before the first start there is no folder yet. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}
