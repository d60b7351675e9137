import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildPackages } from '../../../scripts/lib/packages.mjs';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RECORDING = join(ROOT, 'assets', 'sample', 'dialogue.mp3');
/** Own folders of a workspace, because samples write to them or must not change the real ones. */
const OWN = new Set(['.git', '.cache', 'data', 'node_modules']);

/**
 * A folder that looks like a checkout with the client installed, beside some recordings. Code of the documentation runs in it
 * and leaves its files there.
 */
export class SampleWorkspace {
  private constructor(
    readonly folder: string,
    private readonly packed: string,
  ) {}

  /** @param dataDir of the service, which the samples read as `data` */
  static async create(dataDir: string): Promise<SampleWorkspace> {
    const packed = await mkdtemp(join(tmpdir(), 'samples-packed-'));
    const folder = await mkdtemp(join(tmpdir(), 'samples-'));
    const [client = ''] = await buildPackages(packed, '0.0.1');
    for (const name of await readdir(ROOT))
      if (!OWN.has(name)) await symlink(join(ROOT, name), join(folder, name));
    await symlink(dataDir, join(folder, 'data'));
    await installPackages(join(folder, 'node_modules'), client);
    await linkPython(join(folder, 'bin'));
    await addRecordings(folder);
    return new SampleWorkspace(folder, packed);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    await rm(this.packed, { recursive: true, force: true });
  }
}

/** Links to the packages of the checkout, and the packed client. */
async function installPackages(modules: string, client: string): Promise<void> {
  await mkdir(join(modules, 'zephyr-client'), { recursive: true });
  for (const name of await readdir(join(ROOT, 'node_modules')))
    await symlink(join(ROOT, 'node_modules', name), join(modules, name));
  await run('tar', ['-xzf', client, '--strip-components=1', '-C', join(modules, 'zephyr-client')]);
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
  await ffmpeg('-c', 'copy', join(folder, 'talk.mkv'));
}
