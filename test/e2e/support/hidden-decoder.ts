import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];
const NODE = process.execPath;
/** Mounts `/dev/null` over each file, then runs the program. */
const HIDE = 'for file in $1; do mount --bind /dev/null "$file" || exit 99; done; shift; exec "$@"';

/** The paths at which the decoder is installed. */
export const DECODER_PATHS = FOLDERS.map((folder) => `${folder}/ffmpeg`).filter((path) => existsSync(path));

/** Whether a program can run in a separate mount namespace. */
export const CAN_HIDE_DECODER =
  spawnSync('unshare', ['--mount', 'true']).status === 0 && DECODER_PATHS.length > 0;

/** A command that runs node in a separate mount namespace, with or without the decoder. */
export function nodeCommand(decoder: 'decoder' | 'no decoder', ...args: string[]): [string, string[]] {
  const hidden = decoder === 'decoder' ? '' : DECODER_PATHS.join(' ');
  return ['unshare', ['--mount', 'sh', '-c', HIDE, 'sh', hidden, NODE, ...args]];
}

/** Hides the decoder from a program that was started by `nodeCommand`, or restores it. */
export async function setDecoderVisible(pid: number, visible: boolean): Promise<void> {
  for (const path of DECODER_PATHS) {
    const change = visible ? ['umount', path] : ['mount', '--bind', '/dev/null', path];
    await run('nsenter', ['--target', String(pid), '--mount', '--', ...change]);
  }
}
