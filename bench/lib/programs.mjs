import { fork } from 'node:child_process';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtProgramPath } from '../../scripts/lib/foreground.mjs';
import { UserFacingError } from '../../scripts/lib/user-facing-error.mjs';
import { findFreePort } from './free-port.mjs';

const CREATE_ACCOUNTS_PROGRAM = fileURLToPath(new URL('create-accounts-program.mjs', import.meta.url));

/**
 * A forked program that sends a message when it is ready.
 *
 * @typedef {object} Program
 * @property {number} pid
 * @property {Record<string, any>} message what it said
 * @property {(question: unknown) => Promise<any>} ask sends it a message; its next one is the answer
 * @property {() => Promise<void>} stop
 *
 * @typedef {Program & { origin: string }} Server
 *
 * @typedef {{ folder: string, databaseUrl: string }} Where the folder for its data and its log, and its database
 */

/**
 * Starts a program with a data folder and a database.
 *
 * @param {string | URL} file @param {Where} where
 * @param {{ parameters?: string[], env?: Record<string, string>, execArgv?: string[] }} [options] env: beside what is
 * @returns {Promise<Program>}
 */
export async function startProgram(
  file,
  { folder, databaseUrl },
  { parameters = [], env, execArgv = [] } = {},
) {
  const name = basename(file.toString(), '.mjs');
  const log = join(folder, `${name}.log`);
  const output = await open(log, 'a');
  const child = fork(file, parameters, {
    env: { ...process.env, DATA_DIR: folder, DATABASE_URL: databaseUrl, ...env },
    execArgv,
    stdio: ['ignore', output.fd, output.fd, 'ipc'],
  });
  await output.close();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const early = ended.then((code) => {
    throw new UserFacingError(`${name} ended early, with code ${code}; see ${log}.`);
  });
  early.catch(() => undefined);
  const answer = () => Promise.race([new Promise((resolve) => child.once('message', resolve)), early]);
  const ask = (question) => {
    const answered = answer();
    child.send(question);
    return answered;
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { pid: child.pid, message: await answer(), ask, stop };
}

/**
 * Starts a program that sends the port on which it listens.
 *
 * @param {URL} file @param {Where} where @param {Parameters<typeof startProgram>[2]} [options]
 * @returns {Promise<Server>}
 */
export async function startServer(file, where, options) {
  const program = await startProgram(file, where, options);
  return { ...program, origin: `http://127.0.0.1:${program.message.port}` };
}

/**
 * Starts the API with default settings and its log in a file.
 *
 * @param {Where & { counting?: boolean, profile?: string | null, more?: Record<string, string>, execArgv?: string[] }} where
 *   counting: requests are counted per key, against limits out of reach; profile: a folder for a processor profile;
 *   more: of its environment; execArgv: parameters of Node
 * @returns {Promise<Server>}
 */
export async function startApi({ counting = false, profile = null, more, execArgv = [], ...where }) {
  const port = await findFreePort();
  const program = await startProgram(builtProgramPath('api'), where, {
    env: { PORT: String(port), RATE_LIMIT_FACTOR: counting ? '1000' : '0', ...more },
    execArgv: profile === null ? execArgv : [...execArgv, '--cpu-prof', `--cpu-prof-dir=${profile}`],
  });
  return { ...program, origin: `http://127.0.0.1:${port}` };
}

/**
 * Creates accounts with a large balance and one key each, after migrating the database.
 *
 * @param {Where} where @param {number} count @returns {Promise<{ accountId: string, apiKey: string }[]>}
 */
export async function createBenchAccounts(where, count) {
  const { message, stop } = await startProgram(CREATE_ACCOUNTS_PROGRAM, where, {
    parameters: [String(count)],
  });
  await stop();
  return message.accounts;
}
