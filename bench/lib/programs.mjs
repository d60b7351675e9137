import { fork } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtProgram } from '../../scripts/lib/foreground.mjs';
import { Trouble } from '../../scripts/lib/trouble.mjs';
import { freePort } from './free-port.mjs';

const BASELINE = fileURLToPath(new URL('../baseline/server.mjs', import.meta.url));
const FILES_BASELINE = fileURLToPath(new URL('../baseline/file-server.mjs', import.meta.url));
const ACCOUNTS = fileURLToPath(new URL('accounts.mjs', import.meta.url));

/**
 * A forked program that says by a message that it is ready.
 *
 * @typedef {{ pid: number, message: Record<string, any>, stop: () => Promise<void> }} Program
 * @typedef {Program & { origin: string }} Server
 */

/**
 * @param {string} file @param {{ parameters?: string[], env: Record<string, string>, log: string, execArgv?: string[] }} options
 * @returns {Promise<Program>}
 */
async function start(file, { parameters = [], env, log, execArgv = [] }) {
  const output = await open(log, 'a');
  const child = fork(file, parameters, {
    env: { ...process.env, ...env },
    execArgv,
    stdio: ['ignore', output.fd, output.fd, 'ipc'],
  });
  await output.close();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const message = await Promise.race([
    new Promise((resolve) => child.once('message', resolve)),
    ended.then((code) => {
      throw new Trouble(`${file} ended with code ${code} before it was ready; see ${log}.`);
    }),
  ]);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { pid: child.pid, message, stop };
}

/**
 * The API by itself, with its default settings, its log written to a file.
 *
 * @param {{ folder: string, databaseUrl: string, counting?: boolean, profile?: string | null, more?: Record<string, string> }} where
 *   counting: requests are counted per key, against limits out of reach; profile: a folder for a processor profile;
 *   more: of its environment
 * @returns {Promise<Server>}
 */
export async function startApi({ folder, databaseUrl, counting = false, profile = null, more = {} }) {
  const port = await freePort();
  const env = {
    ...{ DATA_DIR: folder, DATABASE_URL: databaseUrl, PORT: String(port) },
    RATE_LIMIT_FACTOR: counting ? '1000' : '0',
    ...more,
  };
  const execArgv = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const program = await start(builtProgram('api'), { env, log: join(folder, 'api.log'), execArgv });
  return { ...program, origin: `http://127.0.0.1:${port}` };
}

/** @param {{ folder: string, databaseUrl: string }} where @returns {Promise<Server>} */
export async function startBaseline({ folder, databaseUrl }) {
  const program = await start(BASELINE, {
    env: { DATABASE_URL: databaseUrl },
    log: join(folder, 'baseline.log'),
  });
  return { ...program, origin: `http://127.0.0.1:${program.message.port}` };
}

/**
 * What takes bodies into files.
 *
 * @param {string} files folder for them @param {string} folder for its log @returns {Promise<Server>}
 */
export async function startFilesBaseline(files, folder) {
  const program = await start(FILES_BASELINE, {
    parameters: [files],
    env: {},
    log: join(folder, 'files-baseline.log'),
  });
  return { ...program, origin: `http://127.0.0.1:${program.message.port}` };
}

/** @param {{ folder: string, databaseUrl: string }} where @param {number} count @returns {Promise<string[]>} API keys */
export async function openAccounts({ folder, databaseUrl }, count) {
  const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl };
  const { message, stop } = await start(ACCOUNTS, {
    parameters: [String(count)],
    env,
    log: join(folder, 'accounts.log'),
  });
  await stop();
  return message.keys;
}
