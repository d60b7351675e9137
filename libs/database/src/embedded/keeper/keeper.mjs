/**
 * The process that owns an embedded Postgres server: `node keeper.mjs HOME [--volatile]`.
 *
 * It serves every program that uses the data folder, and ends, with the server, a moment after the last of them is
 * gone. In HOME it keeps `keeper.json` (where to find it, only while it serves), `settings.json` (port, password),
 * the lock files, `postgres.log` (its standard output, too) and, normally, the cluster. Exit code 0 also means that
 * another keeper serves HOME already.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureCluster, keepPort, readSettings, SUPERUSER } from './cluster.mjs';
import { openDoor } from './door.mjs';
import { prepareNative } from './native.mjs';
import { locateCluster, serverUser, SYSTEM_FOLDER } from './place.mjs';
import { processMark, replace, tryLock } from './process-lock.mjs';
import { startServer, stopOrphan } from './server.mjs';

const GRACE_MS = 2_000;
const LOCK_WITHIN_MS = 60_000;
const FIRST_STARTS = 4;
const LONGEST_PAUSE_MS = 5_000;
const LOG_LIMIT_BYTES = 5_000_000;

const home = process.argv[2] ?? '';
const durable = !process.argv.includes('--volatile');
const published = join(home, 'keeper.json');
const logFile = join(home, 'postgres.log');

/** @param {string} line */
function log(line) {
  console.log(`${new Date().toISOString()} keeper ${process.pid}: ${line}`);
}

/** @returns {Promise<boolean>} false when another keeper serves already */
async function becomeTheKeeper() {
  const deadline = Date.now() + LOCK_WITHIN_MS;
  while (Date.now() < deadline) {
    if (await tryLock(home, 'keeper.lock')) return true;
    const other = await readFile(published, 'utf8').catch(() => '{}');
    const { pid } = JSON.parse(other);
    if (typeof pid === 'number' && (await processMark(pid))) return false;
    await pause(30);
  }
  throw new Error('Another keeper holds the database and neither serves it nor ends.');
}

/** Everything the server needs, prepared or found. */
async function prepare() {
  const user = await serverUser();
  const cluster = await locateCluster(home, user, log);
  if (user.uid !== undefined) {
    await mkdir(SYSTEM_FOLDER, { recursive: true });
    await chmod(SYSTEM_FOLDER, 0o755);
  }
  const native = await prepareNative(user, user.uid === undefined ? home : SYSTEM_FOLDER);
  const file = join(home, 'settings.json');
  const settings = await readSettings(file);
  await ensureCluster({ native, folder: cluster, user, password: settings.password, durable });
  await stopOrphan(cluster);
  const { port, password } = await keepPort(file, settings);
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  return { url, server: { native, cluster, port, user, logFile, durable } };
}

/**
 * Runs the server until told to leave, starting it anew whenever it dies.
 *
 * @param {Awaited<ReturnType<typeof openDoor>>} door
 * @param {{ now: boolean, told: Promise<void> }} leaving
 */
async function keep(door, leaving) {
  const { url, server: options } = await prepare();
  let failures = 0;
  let everReady = false;
  while (!leaving.now) {
    try {
      const server = await startServer(options);
      everReady = true;
      log(`Postgres ${server.pid} takes connections on port ${options.port}`);
      door.announce({ state: 'ready', url });
      const since = Date.now();
      await Promise.race([server.exited, leaving.told]);
      if (leaving.now) {
        await farewell(door);
        return await server.stop();
      }
      failures = Date.now() - since > 30_000 ? 0 : failures + 1;
      door.announce({ state: 'restarting', message: 'Postgres ended unexpectedly.' });
      log('Postgres ended unexpectedly');
    } catch (error) {
      failures += 1;
      if (!everReady && failures >= FIRST_STARTS) throw error;
      const message = error instanceof Error ? error.message : String(error);
      log(message);
      door.announce({ state: 'restarting', message });
    }
    const backoff = Math.min(100 * 2 ** failures, LONGEST_PAUSE_MS);
    await Promise.race([pause(failures > 1 ? backoff : 0), leaving.told]);
  }
}

/** From here on newcomers start a keeper of their own, which waits for our end. @param {Awaited<ReturnType<typeof openDoor>>} door */
async function farewell(door) {
  await rm(published, { force: true });
  await door.close();
}

async function main() {
  process.umask(0o022);
  if (!(await becomeTheKeeper())) return;
  const { size } = await stat(logFile).catch(() => ({ size: 0 }));
  if (size > LOG_LIMIT_BYTES) await truncate(logFile, 0);

  /** @type {() => void} */
  let leave = () => undefined;
  const leaving = {
    now: false,
    told: new Promise((/** @type {(value: void) => void} */ resolve) => {
      leave = () => {
        leaving.now = true;
        resolve();
      };
    }),
  };
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, leave);
  process.on('SIGHUP', () => undefined);

  const token = randomBytes(24).toString('base64url');
  const door = await openDoor({ token, graceMs: GRACE_MS, onDeserted: leave });
  await replace(published, JSON.stringify({ pid: process.pid, port: door.port, token }));
  try {
    await keep(door, leaving);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log(message);
    door.announce({ state: 'failed', message });
    process.exitCode = 1;
  }
  await farewell(door);
}

await main().catch((/** @type {unknown} */ error) => {
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
process.exit();
