import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RECORDING = join(ROOT, 'assets', 'sample', 'dialogue.mp3');
/** Own folders of a workspace, because samples write to them or must not change the real ones. */
const OWN = new Set(['.git', '.cache', 'data', 'deploy', 'dist', 'node_modules']);

/**
 * A folder that looks like a checkout, with some recordings and `my-program`, in which the
 * client is installed. Code of the documentation runs in it and leaves its files there.
 */
export class SampleWorkspace {
  private constructor(readonly folder: string) {}

  /** @param service whose data folder the samples read as `data`, and whose log as `zephyr.log` */
  static async create(service: { dataDir: string; logFile: string }): Promise<SampleWorkspace> {
    const folder = await mkdtemp(join(tmpdir(), 'samples-'));
    await linkEntries(ROOT, folder, OWN);
    await cp(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true });
    await symlink(service.dataDir, join(folder, 'data'));
    await symlink(service.logFile, join(folder, 'zephyr.log'));
    await mkdir(join(folder, 'dist'));
    await linkEntries(join(ROOT, 'dist'), join(folder, 'dist'));
    await mkdir(join(folder, 'node_modules'));
    await linkEntries(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await installClient(join(folder, 'my-program'));
    await linkPython(join(folder, 'bin'));
    await addRecordings(folder);
    return new SampleWorkspace(folder);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function linkEntries(from: string, to: string, except: ReadonlySet<string> = new Set()): Promise<void> {
  for (const name of await readdir(from))
    if (!except.has(name)) await symlink(join(from, name), join(to, name));
}

/** As the quick start does. A checkout does not have its own client among its packages. */
async function installClient(folder: string): Promise<void> {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const client = join(ROOT, 'dist', 'packages', `zephyr-client-${version}.tgz`);
  const target = join(folder, 'node_modules', 'zephyr-client');
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', client, '--strip-components=1', '-C', target]);
}

/** The program itself: launchers of some installations read the home folder, which samples have of their own. */
async function linkPython(folder: string): Promise<void> {
  await mkdir(folder);
  const { stdout } = await run('python3', ['-c', 'import sys; print(sys.executable)']);
  await symlink(stdout.trim(), join(folder, 'python3'));
}

async function addRecordings(folder: string): Promise<void> {
  await mkdir(join(folder, 'recordings'));
  await cp(RECORDING, join(folder, 'talk.mp3'));
  await cp(RECORDING, join(folder, 'recordings', 'monday.mp3'));
  const ffmpeg = (...args: string[]) => run('ffmpeg', ['-loglevel', 'error', '-i', RECORDING, ...args]);
  // Long enough for three parts of an upload.
  await ffmpeg('-ac', '2', '-ar', '44100', join(folder, 'talk.wav'));
  await cp(join(folder, 'talk.wav'), join(folder, 'my-program', 'talk.wav'));
  await ffmpeg('-c', 'copy', join(folder, 'talk.mkv'));
}
