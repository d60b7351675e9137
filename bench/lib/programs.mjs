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
 * @property {Record<string, any>} message that it sent when it was ready
 * @property {(message: unknown) => Promise<any>} request sends a message and returns the next one of the program
 * @property {() => Promise<void>} stop
 *
 * @typedef {Program & { origin: string }} Server
 *
 * @typedef {{ folder: string, databaseUrl: string }} ProgramEnvironment folder: of data and logs
 */

/**
 * Starts a program with a data folder and a database.
 *
 * @param {string | URL} file @param {ProgramEnvironment} where
 * @param {{ parameters?: string[], env?: Record<string, string>, execArgv?: string[] }} [options] env: additional variables
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
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const earlyExit = exited.then((code) => {
    throw new UserFacingError(`${name} ended early, with code ${code}; see ${log}.`);
  });
  earlyExit.catch(() => undefined);
  const receiveMessage = () =>
    Promise.race([new Promise((resolve) => child.once('message', resolve)), earlyExit]);
  const request = (message) => {
    const response = receiveMessage();
    child.send(message);
    return response;
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  return { pid: child.pid, message: await receiveMessage(), request, stop };
}

/**
 * Starts a program that sends the port on which it listens.
 *
 * @param {URL} file @param {ProgramEnvironment} where @param {Parameters<typeof startProgram>[2]} [options]
 * @returns {Promise<Server>}
 */
export async function startServer(file, where, options) {
  const program = await startProgram(file, where, options);
  return { ...program, origin: `http://127.0.0.1:${program.message.port}` };
}

/**
 * Starts the API with default settings and its log in a file.
 *
 * @param {ProgramEnvironment & { countRequests?: boolean, profile?: string | null, env?: Record<string, string>, execArgv?: string[] }} where
 *   countRequests: counts requests per key, with limits that are not reached; profile: folder of a CPU profile;
 *   env: additional variables; execArgv: parameters of Node
 * @returns {Promise<Server>}
 */
export async function startApi({ countRequests = false, profile = null, env, execArgv = [], ...where }) {
  const port = await findFreePort();
  const program = await startProgram(builtProgramPath('api'), where, {
    env: { PORT: String(port), RATE_LIMIT_FACTOR: countRequests ? '1000' : '0', ...env },
    execArgv: profile === null ? execArgv : [...execArgv, '--cpu-prof', `--cpu-prof-dir=${profile}`],
  });
  return { ...program, origin: `http://127.0.0.1:${port}` };
}

/**
 * Creates accounts with a large balance and one key each, after migrating the database.
 *
 * @param {ProgramEnvironment} where @param {number} count @returns {Promise<{ accountId: string, apiKey: string }[]>}
 */
export async function createBenchAccounts(where, count) {
  const { message, stop } = await startProgram(CREATE_ACCOUNTS_PROGRAM, where, {
    parameters: [String(count)],
  });
  await stop();
  return message.accounts;
}
