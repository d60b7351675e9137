import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const FREE = 'free';
/** Without a flush, a power failure can leave an empty file under the name that was linked afterwards. */
const DURABLE = { mode: 0o600, flush: true };

/**
 * Takes a lock between processes that is free again when its holder dies. It consists of numbered files `<name>.<n>`.
 *
 * The file with the highest number contains the process id and start time of the holder, so a reused id is not taken
 * for the holder. To take over from a dead holder, a process links the next number, which only one process can do. The
 * highest number is never deleted, so a slow competitor cannot create an old number unnoticed.
 *
 * @param {string} folder of the files; created if it does not exist
 * @param {string} name
 * @returns {Promise<{ release(): Promise<void> } | null>} null when a living process holds the lock
 */
export async function tryLock(folder, name) {
  await mkdir(folder, { recursive: true });
  const before = await numbers(folder, name);
  const last = before.at(-1) ?? 0;
  if (last > 0 && (await isHeld(join(folder, `${name}.${last}`)))) return null;

  const mine = join(folder, `${name}.${last + 1}`);
  if (!(await linkNew(mine, await processMark(process.pid)))) return null;

  const after = await numbers(folder, name);
  if (after.at(-1) !== last + 1) {
    await rm(mine, { force: true });
    return null;
  }
  for (const older of after.slice(0, -1)) await rm(join(folder, `${name}.${older}`), { force: true });
  return { release: () => replace(mine, FREE) };
}

/**
 * Identifies a process by its id and start time. Empty if it does not exist or is a zombie.
 *
 * @param {number} pid
 */
export async function processMark(pid) {
  if (process.platform === 'linux') return linuxMark(pid);
  const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.trim() && `${pid} ${stdout.trim()}`;
}

/** @param {number} pid */
async function linuxMark(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The command name is in parentheses and may contain any character, so the fields are read after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 20 || fields[0] === 'Z' || fields[0] === 'X') return '';
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return `${pid} ${fields[19]} ${boot.trim()}`;
}

/** @param {string} path */
async function isHeld(path) {
  const mark = await readFile(path, 'utf8').catch(() => FREE);
  const pid = Number.parseInt(mark, 10);
  // Not in a file of another version, or that a power failure has damaged.
  return pid > 0 && (await processMark(pid)) === mark;
}

/**
 * @param {string} folder
 * @param {string} name
 * @returns {Promise<number[]>} ascending
 */
async function numbers(folder, name) {
  const files = await readdir(folder);
  return files
    .filter((file) => file.startsWith(`${name}.`))
    .map((file) => Number(file.slice(name.length + 1)))
    .filter((number) => Number.isSafeInteger(number) && number > 0)
    .sort((a, b) => a - b);
}

/**
 * Creates a file atomically.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Promise<boolean>} false if the file exists
 */
async function linkNew(path, text) {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, DURABLE);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Replaces a file atomically.
 *
 * @param {string} path
 * @param {string} text
 */
export async function replace(path, text) {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, DURABLE);
  await rename(draft, path);
}
