import { randomUUID } from 'node:crypto';
import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from './run.mjs';

/** Where a server run for root keeps what its unprivileged user could not reach elsewhere. */
export const SYSTEM_FOLDER = '/var/lib/zephyr';

/** A group of no other process, so that opening a folder to it opens it to the server alone. */
const SERVER_GROUP = 64532;

/**
 * Postgres refuses to run as root; for root it runs as `nobody`, which exists everywhere without being added.
 *
 * @returns {Promise<import('./run.mjs').ServerUser>}
 */
export async function serverUser() {
  if (process.getuid?.() !== 0) return {};
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const uid = Number(/^nobody:[^:]*:(\d+):/m.exec(users)?.[1] ?? Number.NaN);
  if (!(uid > 0))
    throw new Error('Postgres does not run as root, and this system has no user "nobody" to run it as.');
  return { uid, gid: SERVER_GROUP };
}

/**
 * Decides in which folder the cluster of a data folder lives, and opens the way to it for the server's user.
 *
 * Normally that is `<home>/cluster`. When root's data folder lies under folders that are closed to everybody else
 * (`/root/...`), the cluster lives in `/var/lib/zephyr/clusters/<id>` and `<home>/location` points to it: deleting
 * the data folder then still means a fresh service, but a copy of the data folder does not hold the database.
 *
 * @param {string} home our folder in the data folder
 * @param {import('./run.mjs').ServerUser} user
 * @param {(line: string) => void} log
 * @returns {Promise<string>}
 */
export async function locateCluster(home, user, log) {
  await mkdir(home, { recursive: true, mode: 0o700 });
  if (user.uid === undefined || user.gid === undefined) return join(home, 'cluster');

  const pointer = join(home, 'location');
  const elsewhere = (await readFile(pointer, 'utf8').catch(() => '')).trim();
  if (elsewhere) return checkOwner(elsewhere, home);

  await open(home, user.gid);
  if (!(await reaches(home, user))) await open(dirname(home), user.gid);
  if (await reaches(home, user)) return join(home, 'cluster');
  if (await stat(join(home, 'cluster')).catch(() => null)) {
    throw new Error(`The server's user cannot reach ${home}: a folder above it is closed to other users.`);
  }
  const room = join(SYSTEM_FOLDER, 'clusters', randomUUID());
  await mkdir(room, { recursive: true, mode: 0o755 });
  await open(room, user.gid);
  await writeFile(join(room, 'owner'), home, { mode: 0o600 });
  await writeFile(pointer, join(room, 'cluster'), { mode: 0o600 });
  log(`${home} is closed to other users: the database is kept in ${room}`);
  return join(room, 'cluster');
}

/**
 * Lets the server's group pass through a folder of root that nobody else may enter; other folders stay as they are.
 *
 * @param {string} folder @param {number} gid
 */
async function open(folder, gid) {
  const { mode, uid } = await stat(folder);
  if (uid !== 0 || (mode & 0o077) !== 0) return;
  await chown(folder, 0, gid);
  await chmod(folder, 0o710);
}

/** @param {string} folder @param {import('./run.mjs').ServerUser} user */
async function reaches(folder, user) {
  return (await run('test', ['-x', folder], user)).code === 0;
}

/**
 * A data folder may be moved, but two copies of one must not share a cluster.
 *
 * @param {string} cluster @param {string} home
 */
async function checkOwner(cluster, home) {
  const ownerFile = join(dirname(cluster), 'owner');
  const owner = await readFile(ownerFile, 'utf8').catch(() => '');
  if (!owner) throw new Error(`The database of ${dirname(home)} was kept in ${cluster}, which is gone.`);
  if (owner === home) return cluster;
  const other = await readFile(join(owner, 'location'), 'utf8').catch(() => '');
  if (other.trim() === cluster)
    throw new Error(`${home} is a copy of ${owner}, whose database is in ${cluster}.`);
  await writeFile(ownerFile, home, { mode: 0o600 });
  return cluster;
}
