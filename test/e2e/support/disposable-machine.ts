import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MOUNT = `
set -e
mount -t tmpfs tmpfs "$1"
for folder in etc opt var; do
  mkdir -p "$1/$folder/upper" "$1/$folder/work"
  mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$1/$folder/upper,workdir=$1/$folder/work" "/$folder"
done
shift
exec "$@"`;

/**
 * Runs a command, as root, on what looks like this machine: it may change users, packages, units and `/opt`, and all of that is
 * gone when the command ends. It is followed by an empty folder and the command.
 */
export const ENTER_DISPOSABLE_MACHINE = [
  ...['unshare', '--mount', '--propagation', 'private'],
  ...['bash', '-c', MOUNT, 'bash'],
];

/** Whether this system can do that, and has what the pages for operators use. */
export const HAS_DISPOSABLE_MACHINE =
  process.getuid?.() === 0 && existsSync('/usr/bin/systemd-analyze') && canMount();

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'zephyr-machine-'));
  try {
    const [program, ...parameters] = [...ENTER_DISPOSABLE_MACHINE, folder, 'true'];
    execFileSync(program, parameters, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}
