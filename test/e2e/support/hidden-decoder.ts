import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];
const NODE = process.execPath;
/** Mounts nothing that can be executed over the files, then becomes the program behind them. */
const HIDE = 'for file in $1; do mount --bind /dev/null "$file" || exit 99; done; shift; exec "$@"';

/** Where the decoder is installed. */
export const DECODER_PATHS = FOLDERS.map((folder) => `${folder}/ffmpeg`).filter((path) => existsSync(path));

/** Whether a program can be given a view of the files of its own, in which some are hidden. */
export const CAN_HIDE_DECODER =
  spawnSync('unshare', ['--mount', 'true']).status === 0 && DECODER_PATHS.length > 0;

/** A command that runs node in a view of its own of the files, with the decoder or without it. */
export function nodeCommand(decoder: 'decoder' | 'no decoder', ...args: string[]): [string, string[]] {
  const hidden = decoder === 'decoder' ? '' : DECODER_PATHS.join(' ');
  return ['unshare', ['--mount', 'sh', '-c', HIDE, 'sh', hidden, NODE, ...args]];
}

/** Hides the decoder from a program that was started by `nodeCommand`, or shows it again. */
export async function setDecoderVisible(pid: number, shown: boolean): Promise<void> {
  for (const path of DECODER_PATHS) {
    const change = shown ? ['umount', path] : ['mount', '--bind', '/dev/null', path];
    await run('nsenter', ['--target', String(pid), '--mount', '--', ...change]);
  }
}
