import { randomBytes, randomInt } from 'node:crypto';
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { replace } from './process-lock.mjs';
import { run } from './run.mjs';

export const SUPERUSER = 'zephyr';

/** Below the ephemeral ports, so that the port is likely to be free at the next start too. */
const PORTS = { lowest: 15_000, highest: 32_000 };

/**
 * Creates the cluster if it does not exist: UTF-8, a sort order that does not depend on the system, SCRAM passwords.
 *
 * @param {{ native: string, folder: string, user: import('./run.mjs').ServerUser, password: string,
 *   durable: boolean }} options
 */
export async function ensureCluster({ native, folder, user, password, durable }) {
  if (await stat(join(folder, 'PG_VERSION')).catch(() => null)) return;
  // Created next to its place and renamed, so that a crash leaves no incomplete cluster.
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  const passwordFile = join(draft, '.password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user.uid !== undefined && user.gid !== undefined) {
    await chown(draft, user.uid, user.gid);
    await chown(passwordFile, user.uid, user.gid);
  }
  const data = join(draft, 'data');
  const { code, output } = await run(
    join(native, 'bin', 'initdb'),
    [
      `--pgdata=${data}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...syncOptions(durable),
    ],
    user,
  );
  if (code !== 0) throw new Error(`The database could not be set up in ${draft}: ${extractError(output)}`);
  await rename(data, folder);
  await rm(draft, { recursive: true, force: true });
}

/** `syncfs` is one call for the file system instead of one for each of a thousand files. @param {boolean} durable */
function syncOptions(durable) {
  if (!durable) return ['--no-sync'];
  return process.platform === 'linux' ? ['--sync-method=syncfs'] : [];
}

/**
 * Reads or creates port and password, which stay the same across restarts, and so does the URL of the database.
 *
 * @param {string} file
 * @returns {Promise<{ port: number, password: string }>}
 */
export async function readSettings(file) {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text !== null) return JSON.parse(text);
  await mkdir(dirname(file), { recursive: true });
  const settings = { port: await freePort(), password: randomBytes(24).toString('base64url') };
  await replace(file, JSON.stringify(settings));
  return settings;
}

/**
 * Returns the settings, with a new port if another program uses the stored one.
 *
 * @param {string} file @param {{ port: number, password: string }} settings
 */
export async function ensureFreePort(file, settings) {
  if (await isFree(settings.port)) return settings;
  const changed = { ...settings, port: await freePort() };
  await replace(file, JSON.stringify(changed));
  return changed;
}

async function freePort() {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(PORTS.lowest, PORTS.highest);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${PORTS.lowest} and ${PORTS.highest} on 127.0.0.1.`);
}

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/**
 * The first error of initdb, or of the server that it runs, is the cause; later ones follow from it.
 *
 * @param {string} output
 */
function extractError(output) {
  const error = /(?:FATAL|PANIC|ERROR|error): +(.+)/.exec(output)?.[1];
  return error ?? (output.trim().split('\n').at(-1)?.trim() || 'no message');
}
