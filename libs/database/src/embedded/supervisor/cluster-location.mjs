import { randomUUID } from 'node:crypto';
import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from './run.mjs';

/** Holds the files of a server started by root that its unprivileged user cannot reach elsewhere. */
export const SYSTEM_DIRECTORY = '/var/lib/zephyr';

/** No other process has this group, so a directory that is opened to it is opened to the server only. */
const SERVER_GROUP = 64532;

/**
 * Postgres refuses to run as root. Started by root, it runs as `nobody`, which every system has.
 *
 * @returns {Promise<import('./run.mjs').ServerUser>}
 */
export async function findServerUser() {
  if (process.getuid?.() !== 0) return {};
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const uid = Number(/^nobody:[^:]*:(\d+):/m.exec(users)?.[1] ?? Number.NaN);
  if (!(uid > 0))
    throw new Error('Postgres does not run as root, and this system has no user "nobody" to run it as.');
  return { uid, gid: SERVER_GROUP };
}

/**
 * Finds the directory of the cluster, and makes it reachable for the user of the server.
 *
 * Normally that is `<home>/cluster`. If the data directory of root is below private directories (`/root/...`), the
 * cluster is in `/var/lib/zephyr/clusters/<id>`, and `<home>/location` contains its path. Deleting the data directory
 * then still gives a new service, but a copy of the data directory does not contain the database.
 *
 * @param {string} home the directory `postgres` in the data directory
 * @param {import('./run.mjs').ServerUser} user
 * @param {(line: string) => void} log
 * @returns {Promise<string>}
 */
export async function locateCluster(home, user, log) {
  await mkdir(home, { recursive: true, mode: 0o700 });
  if (user.uid === undefined || user.gid === undefined) return join(home, 'cluster');

  const pointer = join(home, 'location');
  const clusterPath = (await readFile(pointer, 'utf8').catch(() => '')).trim();
  if (clusterPath) return assertOwner(clusterPath, home);

  await allowTraversal(home, user.gid);
  if (!(await canReach(home, user))) await allowTraversal(dirname(home), user.gid);
  if (await canReach(home, user)) return join(home, 'cluster');
  if (await stat(join(home, 'cluster')).catch(() => null)) {
    throw new Error(
      `The user of the server cannot reach ${home}: a directory above it is closed to other users.`,
    );
  }
  const directory = join(SYSTEM_DIRECTORY, 'clusters', randomUUID());
  await mkdir(directory, { recursive: true, mode: 0o755 });
  await allowTraversal(directory, user.gid);
  await writeFile(join(directory, 'owner'), home, { mode: 0o600 });
  await writeFile(pointer, join(directory, 'cluster'), { mode: 0o600 });
  log(`${home} is closed to other users: the database is in ${directory}`);
  return join(directory, 'cluster');
}

/**
 * Lets the group of the server traverse a private directory of root; other directories stay as they are.
 *
 * @param {string} folder @param {number} gid
 */
async function allowTraversal(folder, gid) {
  const { mode, uid } = await stat(folder);
  if (uid !== 0 || (mode & 0o077) !== 0) return;
  await chown(folder, 0, gid);
  await chmod(folder, 0o710);
}

/** @param {string} folder @param {import('./run.mjs').ServerUser} user */
async function canReach(folder, user) {
  return (await run('test', ['-x', folder], user)).code === 0;
}

/**
 * A data directory may be moved, but its copies must not share the cluster.
 *
 * @param {string} cluster @param {string} home
 */
async function assertOwner(cluster, home) {
  const ownerFile = join(dirname(cluster), 'owner');
  const owner = await readFile(ownerFile, 'utf8').catch(() => '');
  if (!owner)
    throw new Error(`The database of ${dirname(home)} was in ${cluster}, which does not exist any more.`);
  if (owner === home) return cluster;
  const other = await readFile(join(owner, 'location'), 'utf8').catch(() => '');
  if (other.trim() === cluster)
    throw new Error(`${home} is a copy of ${owner}, whose database is in ${cluster}.`);
  await writeFile(ownerFile, home, { mode: 0o600 });
  return cluster;
}
