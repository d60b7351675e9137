import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const FREE = 'free';
const HEARTBEAT_MS = 1_000;
/** For a holder that cannot be looked up here, because it is in another container or on another machine. */
const HEARTBEAT_TIMEOUT_MS = 10_000;
/** Without a flush, a power failure can leave an empty file under the name that was linked afterwards. */
const DURABLE = { mode: 0o600, flush: true };

/**
 * Takes a lock between processes that is free again when its holder dies. It consists of numbered files `<name>.<n>`.
 *
 * The file with the highest number contains the process id and start time of the holder, so a reused id is not taken
 * for the holder. A process of another PID namespace cannot be looked up: it holds the lock as long as it renews the time of the
 * file. To take over from a dead holder, a process links the next number, which only one process can do. The
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
  const heartbeat = setInterval(() => void renew(mine), HEARTBEAT_MS).unref();
  return {
    release: async () => {
      clearInterval(heartbeat);
      await replace(mine, FREE);
    },
  };
}

/**
 * The time at which a process of another container or machine last renewed the lock, in milliseconds; null if none holds it.
 *
 * @param {string} folder @param {string} name
 */
export async function findRenewalElsewhere(folder, name) {
  const last = (await numbers(folder, name)).at(-1);
  if (last === undefined) return null;
  const path = join(folder, `${name}.${last}`);
  const mark = await readFile(path, 'utf8').catch(() => FREE);
  if (!(await isFromElsewhere(mark))) return null;
  const renewedAt = await readRenewal(path);
  return isRecent(renewedAt) ? renewedAt : null;
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

/** @param {number} pid @returns {Promise<string>} id, start time, boot of the machine, PID namespace */
async function linuxMark(pid) {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The command name is in parentheses and may contain any character, so the fields are read after it.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 20 || fields[0] === 'Z' || fields[0] === 'X') return '';
  return `${pid} ${fields[19]} ${await describePidSpace()}`;
}

/** Describes where the process ids of this process, and of all that it can look up, are valid. */
async function describePidSpace() {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${boot.trim()} ${namespace}`;
}

/** @param {string} path */
async function isHeld(path) {
  const mark = await readFile(path, 'utf8').catch(() => FREE);
  if (await isFromElsewhere(mark)) return isRecent(await readRenewal(path));
  const pid = Number.parseInt(mark, 10);
  if (!(pid > 0)) return false;
  const current = await processMark(pid);
  // Earlier versions wrote no namespace. Not equal in a file that a power failure has damaged.
  return current === mark || (isOfEarlierVersion(mark) && current.startsWith(`${mark} `));
}

/** @param {string} mark */
async function isFromElsewhere(mark) {
  if (process.platform !== 'linux' || mark.split(' ').length !== 4) return false;
  return !mark.endsWith(` ${await describePidSpace()}`);
}

/** @param {string} mark */
function isOfEarlierVersion(mark) {
  return process.platform === 'linux' && mark.split(' ').length === 3;
}

/** @param {string} path @returns {Promise<number>} milliseconds */
async function readRenewal(path) {
  return (await stat(path).catch(() => ({ mtimeMs: 0 }))).mtimeMs;
}

/** @param {number} time in milliseconds */
function isRecent(time) {
  return Math.abs(Date.now() - time) < HEARTBEAT_TIMEOUT_MS;
}

/** @param {string} path */
async function renew(path) {
  const now = new Date();
  // If the disk is away for a moment, the next one may succeed.
  await utimes(path, now, now).catch(() => undefined);
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
