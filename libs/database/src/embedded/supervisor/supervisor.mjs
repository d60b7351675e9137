/**
 * The process that owns an embedded Postgres server: `node supervisor.mjs HOME [--volatile]`.
 *
 * It serves every program that uses the data directory, and stops the server and itself soon after the last of them
 * has ended. HOME contains `keeper.json` (port and token of the control socket, only while it serves), `settings.json`
 * (port and password of the server), the lock files, `postgres.log` (also its standard output) and, normally, the
 * cluster. Exit code 0 can also mean that another supervisor already serves HOME.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureCluster, ensureFreePort, readSettings, SUPERUSER } from './cluster.mjs';
import { locateCluster, findServerUser, SYSTEM_DIRECTORY } from './cluster-location.mjs';
import { openControlSocket } from './control-socket.mjs';
import { limitLogFileSize } from './log-file.mjs';
import { prepareNativeBinaries } from './native-binaries.mjs';
import { findRenewalElsewhere, processMark, replace, tryLock } from './process-lock.mjs';
import { startServer, stopOrphan } from './server.mjs';

const GRACE_MS = 2_000;
const LOCK = 'keeper.lock';
const LOCK_TIMEOUT_MS = 60_000;
const MAX_FIRST_START_ATTEMPTS = 4;
const MAX_RESTART_DELAY_MS = 5_000;
/** The processes of a killed server end by themselves, on a busy machine after seconds. */
const FORMER_SERVER_TIMEOUT_MS = 30_000;

const home = process.argv[2] ?? '';
const durable = !process.argv.includes('--volatile');
const controlFile = join(home, 'keeper.json');
const logFile = join(home, 'postgres.log');

/** @param {string} line */
function log(line) {
  console.log(`${new Date().toISOString()} supervisor ${process.pid}: ${line}`);
}

/** @returns {Promise<boolean>} false when another supervisor already serves */
async function acquireLock() {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  /** @type {number | null} */
  let renewedElsewhere = null;
  while (Date.now() < deadline) {
    if (await tryLock(home, LOCK)) return true;
    const renewed = await findRenewalElsewhere(home, LOCK);
    if (renewed !== null) {
      // Only a living process renews it again. A container that was killed has done so for the last time.
      if (renewedElsewhere !== null && renewed !== renewedElsewhere)
        throw new Error(
          `${home} belongs to a running Postgres of another container or machine: run the command in that container (docker exec).`,
        );
      renewedElsewhere = renewed;
      await pause(200);
      continue;
    }
    const other = await readFile(controlFile, 'utf8').catch(() => '{}');
    const { pid } = JSON.parse(other);
    if (typeof pid === 'number' && (await processMark(pid))) return false;
    await pause(30);
  }
  throw new Error('Another supervisor holds the lock of the database, but neither serves it nor ends.');
}

/** Prepares user, cluster, programs and port of the server. */
async function prepareServer() {
  const user = await findServerUser();
  const cluster = await locateCluster(home, user, log);
  if (user.uid !== undefined) {
    await mkdir(SYSTEM_DIRECTORY, { recursive: true });
    await chmod(SYSTEM_DIRECTORY, 0o755);
  }
  const native = await prepareNativeBinaries(user, user.uid === undefined ? home : SYSTEM_DIRECTORY);
  const file = join(home, 'settings.json');
  const settings = await readSettings(file);
  await ensureCluster({ native, folder: cluster, user, password: settings.password, durable });
  await stopOrphan(cluster);
  const { port, password } = await ensureFreePort(file, settings);
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  return { url, server: { native, cluster, port, user, logFile, durable } };
}

/**
 * Runs the server until a stop is requested, and restarts it whenever it ends unexpectedly.
 *
 * @param {Awaited<ReturnType<typeof openControlSocket>>} controlSocket
 * @param {{ requested: boolean, request: Promise<void> }} stop
 */
async function superviseServer(controlSocket, stop) {
  const { url, server: options } = await prepareServer();
  let failures = 0;
  let hasBeenReady = false;
  const formerServerDeadline = Date.now() + FORMER_SERVER_TIMEOUT_MS;
  while (!stop.requested) {
    try {
      const server = await startServer(options);
      hasBeenReady = true;
      log(`Postgres ${server.pid} takes connections on port ${options.port}`);
      controlSocket.announce({ state: 'ready', url });
      const readyAt = Date.now();
      await Promise.race([server.exited, stop.request]);
      if (stop.requested) {
        await closeToClients(controlSocket);
        return await server.stop();
      }
      failures = Date.now() - readyAt > 30_000 ? 0 : failures + 1;
      controlSocket.announce({ state: 'restarting', message: 'Postgres ended unexpectedly.' });
      log('Postgres ended unexpectedly');
    } catch (error) {
      failures += 1;
      const message = error instanceof Error ? error.message : String(error);
      const formerServerEnds = isUsedByFormerServer(message) && Date.now() < formerServerDeadline;
      if (!hasBeenReady && failures >= MAX_FIRST_START_ATTEMPTS && !formerServerEnds) throw error;
      log(message);
      controlSocket.announce({ state: 'restarting', message });
    }
    const backoff = Math.min(100 * 2 ** failures, MAX_RESTART_DELAY_MS);
    await Promise.race([pause(failures > 1 ? backoff : 0), stop.request]);
  }
}

/** @param {string} message of Postgres */
function isUsedByFormerServer(message) {
  return message.includes('pre-existing shared memory block');
}

/**
 * New programs start another supervisor from here on, which waits until this one has ended.
 *
 * @param {Awaited<ReturnType<typeof openControlSocket>>} controlSocket
 */
async function closeToClients(controlSocket) {
  await rm(controlFile, { force: true });
  await controlSocket.close();
}

async function main() {
  process.umask(0o022);
  if (!(await acquireLock())) return;
  await limitLogFileSize(logFile);

  /** @type {() => void} */
  let requestStop = () => undefined;
  const stop = {
    requested: false,
    request: new Promise((/** @type {(value: void) => void} */ resolve) => {
      requestStop = () => {
        stop.requested = true;
        resolve();
      };
    }),
  };
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, requestStop);
  process.on('SIGHUP', () => undefined);

  const token = randomBytes(24).toString('base64url');
  const controlSocket = await openControlSocket({ token, graceMs: GRACE_MS, onIdle: requestStop });
  await replace(controlFile, JSON.stringify({ pid: process.pid, port: controlSocket.port, token }));
  try {
    await superviseServer(controlSocket, stop);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log(message);
    controlSocket.announce({ state: 'failed', message });
    process.exitCode = 1;
  }
  await closeToClients(controlSocket);
}

await main().catch((/** @type {unknown} */ error) => {
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
process.exit();
